import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Grows J48 and times its classification, for scripts/bench.
 *
 * <p>Arguments: TRAIN MODEL REPEAT [OPTIONS]. Writes the tree's text to MODEL and prints the number
 * of rows and the CPU seconds, best of the repeats, in which Weka classifies all rows of TRAIN once;
 * each repeat classifies them often enough to take a while.
 */
public final class WekaBench {

  private WekaBench() {}

  public static void main(String[] args) throws Exception {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(new FileInputStream(args[0]), "UTF-8"));
    Instances data = new Instances(reader);
    reader.close();
    data.setClassIndex(data.numAttributes() - 1);
    J48 tree = new J48();
    tree.setOptions(Utils.splitOptions(args.length > 3 ? args[3] : ""));
    tree.buildClassifier(data);
    Writer out = new OutputStreamWriter(new FileOutputStream(new File(args[1])), "UTF-8");
    out.write(tree.toString());
    out.close();

    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    int rows = data.numInstances();
    int rounds = Math.max(1, 400000 / rows);
    double best = Double.POSITIVE_INFINITY;
    double sum = 0;
    // The first repeats warm the compiler up.
    for (int repeat = -2; repeat < Integer.parseInt(args[2]); repeat++) {
      long start = clock.getCurrentThreadCpuTime();
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < rows; i++) {
          sum += tree.classifyInstance(data.instance(i));
        }
      }
      double seconds = (clock.getCurrentThreadCpuTime() - start) / 1e9 / rounds;
      if (repeat >= 0) {
        best = Math.min(best, seconds);
      }
    }
    System.out.println(rows + " " + best + " " + (sum >= 0));
  }
}
