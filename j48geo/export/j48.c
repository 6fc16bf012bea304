/*
 * The program of an exported tree: the parts that are the same for every tree. REAL stands for the
 * type of numbers; CHOICE, NEAR and NEW_LABELS for what `j48geo.export.c` puts there. Each part
 * begins behind its name.
 */
/* part: walk */

/*
 * What the leaves of a row say, times its shares. A test whose value is missing takes all its
 * branches, one after the other, and adds them up before the test above it does: Weka's order.
 * Gives the only label of these leaves, -1 if there are several, -2 if a value is none of its
 * attribute's. In `leaf` the leaf of a row that is not divided; else -1, or -2 if one of its
 * leaves has a new label.
 */
static int j48_walk(const REAL *x, const REAL *weight, REAL *p, int *leaf)
{
    REAL sum[J48_DEPTH + 1][J48_CLASSES];
    REAL before[J48_DEPTH + 1];
    int open[J48_DEPTH + 1];
    int branch[J48_DEPTH + 1];
    REAL share = 1;
    int at = J48_ROOT;
    int top = 0;
    int going = 1;
    int label = -3;
    int ending = -1;
    int changed = 0;
    int k;

    for (k = 0; k < J48_CLASSES; k++) {
        sum[0][k] = 0;
    }
    while (going) {
        int ended = 1;
        while (at >= 0 && ended) { /* down, to a leaf or to a missing value */
            REAL v = x[j48_column[at]];
            if (v != v) {
                top++;
                open[top] = at;
                branch[top] = j48_first[at];
                before[top] = share;
                for (k = 0; k < J48_CLASSES; k++) {
                    sum[top][k] = 0;
                }
                ended = 0;
            } else if (j48_kind[at] == 2) {
                if (!(v >= 0 && v < (REAL)(j48_first[at + 1] - j48_first[at]))) {
                    return -2;
                }
                at = j48_next[j48_first[at] + (int)v];
            } else if (j48_kind[at] == 1) {
                at = j48_next[j48_first[at] + (v == j48_bound[at] ? 0 : 1)];
            } else {
                at = j48_next[j48_first[at] + (v <= j48_bound[at] ? 0 : 1)];
            }
        }
        if (ended) { /* a leaf */
            int found = -1 - at;
            int own = j48_leaf_label[found];
            for (k = 0; k < J48_CLASSES; k++) {
                sum[top][k] += share * weight[found * J48_CLASSES + k];
            }
            if (top == 0) {
                ending = found;
            }
            if (own >= J48_CLASSES) {
                own -= J48_CLASSES;
                changed = 1;
            }
            if (label == -3) {
                label = own;
            } else if (label != own) {
                label = -1;
            } else {
                /* the leaves agree so far */
            }
        }
        going = 0;
        while (top > 0 && !going) { /* the next branch, or up */
            int last = j48_first[open[top] + 1];
            while (branch[top] < last && j48_share[branch[top]] == 0) {
                branch[top]++;
            }
            if (branch[top] < last) {
                share = before[top] * j48_share[branch[top]];
                at = j48_next[branch[top]];
                branch[top]++;
                going = 1;
            } else {
                top--;
                for (k = 0; k < J48_CLASSES; k++) {
                    sum[top][k] += sum[top + 1][k];
                }
            }
        }
    }
    for (k = 0; k < J48_CLASSES; k++) {
        p[k] = sum[0][k];
    }
    *leaf = ending < 0 && changed ? -2 : ending;
    return label < -1 ? -1 : label;
}
/* part: class */
void j48_distribution(const REAL *x, REAL *p)
{
    int leaf;
    int k;

    if (j48_walk(x, j48_leaf_weight, p, &leaf) == -2) {
        for (k = 0; k < J48_CLASSES; k++) {
            p[k] = NAN;
        }
    }
}

/* The first of the largest weights, or the label if they do not decide. */
static int j48_largest(const REAL *p, int label, int preferred, REAL equal)
{
    REAL most = 0;
    int best = -1;
    int k;

    for (k = 0; k < J48_CLASSES; k++) {
        if (p[k] != p[k]) {
            return label; /* not known */
        }
        if (p[k] > most) {
            most = p[k];
        }
    }
    if (!(most > 0)) {
        return label;
    }
    for (k = J48_CLASSES - 1; k >= 0; k--) {
        if (p[k] >= most - equal) {
            best = k;
        }
    }
    if (preferred && label >= 0 && p[best] - p[label] <= equal && p[label] - p[best] <= equal) {
        best = label;
    }
    return best;
}

int j48_class(const REAL *x)
{
    REAL p[J48_CLASSES];
    int leaf;
    int label = j48_walk(x, j48_leaf_weight, p, &leaf);

    if (label == -2) {
        return -1;
    }
    if (leaf >= 0) {
        return j48_leaf_class[leaf];
    }
NEW_LABELS    return j48_largest(p, label, CHOICE);
}
/* part: new_labels */
    if (leaf == -2) { /* the weights that speak for new labels */
        (void)j48_walk(x, &j48_leaf_weight[J48_LEAVES * J48_CLASSES], p, &leaf);
        return j48_largest(p, label, 0, J48_EQUAL);
    }
/* part: test */

int main(void)
{
    int wrong = 0;
    int row;

    for (row = 0; row < J48_ROWS; row++) {
        REAL p[J48_CLASSES];
        int bad = j48_class(&j48_rows[row * J48_COLUMNS]) != j48_classes[row];
        int k;
        j48_distribution(&j48_rows[row * J48_COLUMNS], p);
        for (k = 0; k < J48_CLASSES; k++) {
            REAL wanted = j48_answers[row * J48_CLASSES + k];
            if (wanted == wanted ? !(p[k] - wanted <= NEAR && wanted - p[k] <= NEAR)
                                 : p[k] == p[k]) {
                bad = 1;
            }
        }
        wrong += bad;
    }
    printf("%d of %d rows as expected\n", J48_ROWS - wrong, J48_ROWS);
    return wrong != 0;
}
