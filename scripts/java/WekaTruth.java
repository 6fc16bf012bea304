import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

import weka.classifiers.Classifier;
import weka.classifiers.Evaluation;
import weka.classifiers.evaluation.ThresholdCurve;
import weka.classifiers.trees.J48;
import weka.core.Attribute;
import weka.core.Drawable;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.OptionHandler;
import weka.core.Utils;
import weka.core.Version;
import weka.filters.Filter;

/**
 * Real Weka's answers, many jobs to one JVM. The same source compiles against Weka 3.6 and 3.9.
 *
 * <p>Jobs are lines on standard input, fields separated by tabs; each is answered by one line on
 * standard output, {@code ok} or {@code error} with a message. What Weka itself prints goes to
 * standard error. Class indices count from 0; -1 is the last attribute.
 *
 * <pre>
 * truth     FOLDER CLASS SCHEME OPTIONS TRAIN TEST   builds the classifier and writes into FOLDER
 *             model.txt  what toString() gives
 *             graph.dot  what graph() gives, if it draws
 *             tree.json  every node of every J48 in it, full precision, by reflection
 *             weka.csv   both predictions and the distribution for every row of TRAIN and TEST
 *             filtered.arff  the rows the tree saw, for a FilteredClassifier
 * text      FILE CLASS SCHEME OPTIONS TRAIN          what toString() gives, and nothing else;
 *             without TRAIN that of a classifier which was never built
 * seconds   CLASS SCHEME OPTIONS TRAIN               answers with the CPU time of a second build
 * cli       FILE SCHEME ARGUMENTS                    what the command line prints
 * explorer  FILE CLASS SCHEME OPTIONS TRAIN FOLDS    what the Explorer's Classify tab shows; FOLDS
 *             is empty (ten), or how many, and the model of each of them is shown too
 * save      FILE CLASS SCHEME OPTIONS TRAIN KEEP     builds the classifier and saves it as a .model;
 *             KEEP is alone, or header: the empty data set follows, as the Explorer does
 * ask       FOLDER CLASS MODEL ROWS                  loads a .model and writes into FOLDER
 *             text     what toString() gives
 *             answers  for every row the class, then the bits of the distribution
 * area      FILE                                     answers with the ROC area of a curve's ARFF
 * version                                            answers with Weka's version
 * </pre>
 */
public final class WekaTruth {

  private WekaTruth() {}

  public static void main(String[] ignored) throws IOException {
    PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
    System.setOut(System.err);
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
      String[] job = line.split("\t", -1);
      String answer;
      try {
        answer = run(job);
      } catch (Throwable problem) {
        Throwable cause = problem instanceof InvocationTargetException ? problem.getCause() : problem;
        cause.printStackTrace();
        answer = "error\t" + cause.toString().replaceAll("\\s+", " ");
      }
      answers.println(answer);
      System.err.flush();
    }
    System.exit(0); // the Explorer's panel leaves threads behind
  }

  private static String run(String[] job) throws Exception {
    if (job[0].equals("truth")) {
      truth(new File(job[1]), Integer.parseInt(job[2]), job[3], job[4], job[5], job[6]);
      return "ok";
    }
    if (job[0].equals("text")) {
      Classifier classifier = classifier(job[3], job[4]);
      if (job[5].length() > 0) {
        classifier.buildClassifier(read(job[5], Integer.parseInt(job[2])));
      }
      write(new File(job[1]), classifier.toString());
      return "ok";
    }
    if (job[0].equals("seconds")) {
      Instances data = read(job[4], Integer.parseInt(job[1]));
      classifier(job[2], job[3]).buildClassifier(data);
      ThreadMXBean clock = ManagementFactory.getThreadMXBean();
      long before = clock.getCurrentThreadCpuTime();
      classifier(job[2], job[3]).buildClassifier(data);
      return "ok\t" + (clock.getCurrentThreadCpuTime() - before) / 1e9;
    }
    if (job[0].equals("cli")) {
      Classifier classifier = classifier(job[2], "");
      write(new File(job[1]), Evaluation.evaluateModel(classifier, Utils.splitOptions(job[3])) + "\n");
      return "ok";
    }
    if (job[0].equals("explorer")) {
      Instances data = read(job[5], Integer.parseInt(job[2]));
      write(new File(job[1]), explorer(classifier(job[3], job[4]), data, job[6]));
      return "ok";
    }
    if (job[0].equals("save")) {
      Instances data = read(job[5], Integer.parseInt(job[2]));
      System.setProperty("user.dir", "."); // some classifiers save where they were made
      Classifier classifier = classifier(job[3], job[4]);
      classifier.buildClassifier(data);
      ObjectOutputStream out = new ObjectOutputStream(new FileOutputStream(job[1]));
      out.writeObject(classifier);
      if (job[6].equals("header")) {
        out.writeObject(new Instances(data, 0));
      }
      out.close();
      return "ok";
    }
    if (job[0].equals("ask")) {
      ask(new File(job[1]), job[3], read(job[4], Integer.parseInt(job[2])));
      return "ok";
    }
    if (job[0].equals("area")) {
      Instances curve = read(job[1], -1);
      return "ok\t" + ThresholdCurve.getROCArea(curve);
    }
    if (job[0].equals("version")) {
      return "ok\t" + Version.VERSION;
    }
    return "error\tunknown job " + job[0];
  }

  private static void ask(File folder, String model, Instances rows) throws Exception {
    ObjectInputStream in = new ObjectInputStream(new FileInputStream(model));
    Classifier classifier = (Classifier) in.readObject();
    in.close();
    write(new File(folder, "text"), classifier.toString());
    StringBuilder answers = new StringBuilder();
    for (int i = 0; i < rows.numInstances(); i++) {
      answers.append(classifier.classifyInstance(rows.instance(i)));
      for (double share : classifier.distributionForInstance(rows.instance(i))) {
        answers.append(' ').append(Long.toHexString(Double.doubleToLongBits(share)));
      }
      answers.append('\n');
    }
    write(new File(folder, "answers"), answers.toString());
  }

  private static void truth(
      File folder, int classIndex, String scheme, String options, String train, String test)
      throws Exception {
    Instances data = read(train, classIndex);
    Classifier classifier = classifier(scheme, options);
    classifier.buildClassifier(data);
    write(new File(folder, "model.txt"), classifier.toString());
    if (classifier instanceof Drawable) {
      String graph = null;
      try {
        graph = ((Drawable) classifier).graph();
      } catch (Exception notDrawable) {
        graph = null; // a wrapper around something that does not draw
      }
      if (graph != null) {
        write(new File(folder, "graph.dot"), graph);
      }
    }
    List<J48> trees = new ArrayList<J48>();
    collect(classifier, trees);
    write(new File(folder, "tree.json"), json(classifier, trees));

    StringWriter csv = new StringWriter();
    csv.write("set,tree,row,actual,predicted,predicted_argmax,weight");
    for (int k = 0; k < data.numClasses(); k++) {
      csv.write(",p" + k);
    }
    csv.write("\n");
    boolean filtered = scheme.endsWith("FilteredClassifier");
    // The trees of these were not built from rows with the header of the data.
    boolean sameHeader =
        !filtered
            && !scheme.endsWith("AttributeSelectedClassifier")
            && !scheme.endsWith("MultiClassClassifier");
    predictions(csv, "train", data, classifier, sameHeader ? trees : new ArrayList<J48>());
    if (test.length() > 0) {
      Instances rows = read(test, classIndex);
      predictions(csv, "test", rows, classifier, sameHeader ? trees : new ArrayList<J48>());
    }
    write(new File(folder, "weka.csv"), csv.toString());
    if (filtered) {
      Filter filter = (Filter) classifier.getClass().getMethod("getFilter").invoke(classifier);
      write(new File(folder, "filtered.arff"), Filter.useFilter(data, filter).toString() + "\n");
    }
  }

  private static Instances read(String path, int classIndex) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(new FileInputStream(path), "UTF-8"));
    try {
      Instances data = new Instances(reader);
      data.setClassIndex(classIndex < 0 ? data.numAttributes() + classIndex : classIndex);
      return data;
    } finally {
      reader.close();
    }
  }

  private static Classifier classifier(String scheme, String options) throws Exception {
    return (Classifier) Utils.forName(Classifier.class, scheme, Utils.splitOptions(options));
  }

  // ---------------------------------------------------------------- predictions

  private static void predictions(
      Writer csv, String set, Instances data, Classifier whole, List<J48> trees)
      throws Exception {
    if (!(whole instanceof J48)) {
      predictions(csv, set, -1, data, whole);
    }
    for (int t = 0; t < trees.size(); t++) {
      predictions(csv, set, t, data, trees.get(t));
    }
  }

  private static void predictions(
      Writer csv, String set, int tree, Instances data, Classifier classifier) throws Exception {
    for (int i = 0; i < data.numInstances(); i++) {
      Instance row = data.instance(i);
      double[] distribution = classifier.distributionForInstance(row);
      csv.write(set + "," + tree + "," + i);
      csv.write("," + label(data, row.classValue()));
      csv.write("," + label(data, classifier.classifyInstance(row)));
      csv.write("," + label(data, Utils.maxIndex(distribution)));
      csv.write("," + row.weight());
      for (double p : distribution) {
        csv.write("," + p);
      }
      csv.write("\n");
    }
  }

  private static String label(Instances data, double index) {
    if (Double.isNaN(index)) {
      return "?";
    }
    String text = data.classAttribute().value((int) index);
    if (text.matches("(?s).*[,\"\\r\\n].*")) {
      return '"' + text.replace("\"", "\"\"") + '"';
    }
    return text;
  }

  // ---------------------------------------------------------------- trees

  /** Every J48 inside a classifier, in the order in which it prints them. */
  private static void collect(Object classifier, List<J48> trees) throws Exception {
    if (classifier instanceof J48) {
      trees.add((J48) classifier);
      return;
    }
    Object several = field(classifier, "m_Classifiers");
    if (several instanceof Object[]) {
      for (Object member : (Object[]) several) {
        collect(member, trees);
      }
      return;
    }
    Object one = field(classifier, "m_Classifier");
    if (one != null) {
      collect(one, trees);
    }
  }

  private static String json(Classifier classifier, List<J48> trees) throws Exception {
    StringBuilder out = new StringBuilder();
    out.append("{\"weka\": ").append(quote(Version.VERSION));
    out.append(", \"classifier\": ").append(quote(classifier.getClass().getName()));
    out.append(", \"options\": ").append(quote(options(classifier)));
    out.append(",\n \"trees\": [");
    for (int t = 0; t < trees.size(); t++) {
      J48 tree = trees.get(t);
      Object root = field(tree, "m_root");
      Instances header = (Instances) field(root, "m_train");
      out.append(t == 0 ? "\n" : ",\n").append("  {\"leaves\": ").append((long) tree.measureNumLeaves());
      out.append(", \"size\": ").append((long) tree.measureTreeSize());
      out.append(", \"options\": ").append(quote(options(tree)));
      out.append(", \"class_attribute\": ").append(quote(header.classAttribute().name()));
      out.append(", \"class_values\": ").append(values(header.classAttribute()));
      out.append(", \"attributes\": [");
      for (int a = 0; a < header.numAttributes(); a++) {
        out.append(a == 0 ? "" : ", ").append(quote(header.attribute(a).name()));
      }
      out.append("],\n   \"nodes\": [");
      int[] next = {0};
      node(out, header, root, null, -1, -1, 0, next);
      out.append("\n   ]}");
    }
    return out.append("\n ]\n}\n").toString();
  }

  private static void node(
      StringBuilder out, Instances header, Object node, Object parentBags, int parent, int branch,
      int depth, int[] next) throws Exception {
    int id = next[0]++;
    Object model = field(node, "m_localModel");
    Object bags = field(model, "m_distribution");
    boolean leaf = (Boolean) field(node, "m_isLeaf");
    out.append(id == 0 ? "\n" : ",\n").append("    {\"id\": ").append(id);
    out.append(", \"parent\": ").append(parent).append(", \"branch\": ").append(branch);
    out.append(", \"depth\": ").append(depth).append(", \"leaf\": ").append(leaf);
    out.append(", \"empty\": ").append(field(node, "m_isEmpty"));
    out.append(", \"total\": ").append(number((Double) field(bags, "totaL")));
    out.append(", \"per_class\": ").append(numbers((double[]) field(bags, "m_perClass")));
    if (leaf) {
      double[] bag = (double[]) field(bags, "m_perClass");
      if (parentBags != null) {
        bag = ((double[][]) field(parentBags, "m_perClassPerBag"))[branch];
      }
      out.append(", \"bag_per_class\": ").append(numbers(bag));
      out.append("}");
      return;
    }
    String kind = model.getClass().getSimpleName();
    Attribute attribute = header.attribute((Integer) field(model, "m_attIndex"));
    out.append(", \"model\": ").append(quote(kind));
    out.append(", \"att_index\": ").append(attribute.index());
    out.append(", \"att\": ").append(quote(attribute.name()));
    out.append(", \"att_nominal\": ").append(attribute.isNominal());
    if (!attribute.isNominal() || kind.equals("BinC45Split")) {
      out.append(", \"split_point\": ").append(number((Double) field(model, "m_splitPoint")));
    }
    out.append(", \"bags\": ").append(numbers((double[]) field(bags, "m_perBag"))).append("}");
    Object[] sons = (Object[]) field(node, "m_sons");
    for (int s = 0; s < sons.length; s++) {
      node(out, header, sons[s], bags, id, s, depth + 1, next);
    }
  }

  // ---------------------------------------------------------------- the Explorer

  /** The buffer of the Explorer's Classify tab after Start: cross-validation. */
  private static String explorer(Classifier classifier, Instances data, String folds)
      throws Exception {
    weka.gui.explorer.ClassifierPanel panel = new weka.gui.explorer.ClassifierPanel();
    panel.setInstances(data);
    ((javax.swing.JComboBox) field(panel, "m_ClassCombo")).setSelectedIndex(data.classIndex());
    ((weka.gui.GenericObjectEditor) field(panel, "m_ClassifierEditor")).setValue(classifier);
    if (folds.length() > 0) {
      ((javax.swing.JTextField) field(panel, "m_CVText")).setText(folds);
      ((javax.swing.JCheckBox) field(panel, "m_OutputModelsForTrainingSplitsBut")).setSelected(true);
    }
    invoke(panel, "startClassifier");
    Thread run = (Thread) field(panel, "m_RunThread");
    if (run != null) {
      run.join(60000);
    }
    weka.gui.ResultHistoryPanel history =
        (weka.gui.ResultHistoryPanel) field(panel, "m_History");
    return history.getNamedBuffer(history.getNameAtIndex(0)).toString();
  }

  // ---------------------------------------------------------------- small tools

  private static Object field(Object owner, String name) throws Exception {
    for (Class<?> c = owner.getClass(); c != null; c = c.getSuperclass()) {
      try {
        Field field = c.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
      } catch (NoSuchFieldException inherited) {
        continue;
      }
    }
    return null;
  }

  private static void invoke(Object owner, String name) throws Exception {
    for (Class<?> c = owner.getClass(); c != null; c = c.getSuperclass()) {
      try {
        Method method = c.getDeclaredMethod(name);
        method.setAccessible(true);
        method.invoke(owner);
        return;
      } catch (NoSuchMethodException inherited) {
        continue;
      }
    }
    throw new NoSuchMethodException(name);
  }

  private static String options(Object handler) {
    return Utils.joinOptions(((OptionHandler) handler).getOptions()).trim();
  }

  private static String values(Attribute attribute) {
    StringBuilder out = new StringBuilder("[");
    for (int v = 0; v < attribute.numValues(); v++) {
      out.append(v == 0 ? "" : ", ").append(quote(attribute.value(v)));
    }
    return out.append("]").toString();
  }

  private static String numbers(double[] values) {
    StringBuilder out = new StringBuilder("[");
    for (int i = 0; i < values.length; i++) {
      out.append(i == 0 ? "" : ", ").append(number(values[i]));
    }
    return out.append("]").toString();
  }

  private static String number(double value) {
    return Double.isNaN(value) || Double.isInfinite(value) ? quote("" + value) : "" + value;
  }

  private static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  private static void write(File file, String text) throws IOException {
    Writer out = new BufferedWriter(new OutputStreamWriter(new FileOutputStream(file), "UTF-8"));
    try {
      out.write(text);
    } finally {
      out.close();
    }
  }
}
