import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;

import weka.classifiers.Classifier;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Builds classifiers on samples of one data set, many samples to one JVM. The same source compiles
 * against Weka 3.6 and 3.9.
 *
 * <p>The argument names an ARFF file, whose last attribute is the class. Jobs are lines on standard
 * input, fields separated by tabs; each is answered by one line on standard output, {@code ok} or
 * {@code error} with a message. TRAIN and TEST are row numbers from 0, separated by spaces; a row
 * may come several times.
 *
 * <pre>
 * text          SCHEME OPTIONS TRAIN        what toString() gives, \ and line breaks escaped
 * distribution  SCHEME OPTIONS TRAIN TEST   class probabilities of the test rows, row by row
 * classes       SCHEME OPTIONS TRAIN TEST   what classifyInstance() says of the test rows
 * </pre>
 */
public final class Reproduce {

  private Reproduce() {}

  public static void main(String[] arguments) throws IOException {
    PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
    System.setOut(System.err);
    Instances data = read(arguments[0]);
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
      String answer;
      try {
        answer = "ok\t" + run(data, line.split("\t", -1));
      } catch (Throwable problem) {
        problem.printStackTrace();
        answer = "error\t" + problem.toString().replaceAll("\\s+", " ");
      }
      answers.println(answer);
    }
    System.exit(0);
  }

  private static String run(Instances data, String[] job) throws Exception {
    Classifier classifier =
        (Classifier) Utils.forName(Classifier.class, job[1], Utils.splitOptions(job[2]));
    classifier.buildClassifier(rows(data, job[3]));
    if (job[0].equals("text")) {
      return classifier.toString().replace("\\", "\\\\").replace("\n", "\\n");
    }
    Instances test = rows(data, job[4]);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < test.numInstances(); i++) {
      Instance row = test.instance(i);
      if (job[0].equals("classes")) {
        out.append(i == 0 ? "" : " ").append((int) classifier.classifyInstance(row));
      } else {
        for (double p : classifier.distributionForInstance(row)) {
          out.append(out.length() == 0 ? "" : " ").append(p);
        }
      }
    }
    return out.toString();
  }

  private static Instances rows(Instances data, String numbers) {
    Instances found = new Instances(data, 0);
    for (String number : numbers.split(" ")) {
      found.add(data.instance(Integer.parseInt(number))); // add() copies
    }
    return found;
  }

  private static Instances read(String path) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(new FileInputStream(path), "UTF-8"));
    try {
      Instances data = new Instances(reader);
      data.setClassIndex(data.numAttributes() - 1);
      return data;
    } finally {
      reader.close();
    }
  }
}
