import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

import com.sun.management.OperatingSystemMXBean;

import weka.core.Attribute;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.converters.ArffLoader;

/**
 * How Weka reads ARFF files.
 *
 * <p>Without arguments: names of files on standard input, one a line; each is answered by one
 * line of JSON, the header and rows or {@code {"error": ...}}. With {@code --load FILE TIMES}: the
 * file is loaded that many times; printed are the number of its rows and the CPU seconds of the best.
 */
public final class ArffDump {

  private ArffDump() {}

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
    if (arguments.length == 3 && arguments[0].equals("--load")) {
      out.println(load(new File(arguments[1]), Integer.parseInt(arguments[2])));
      out.flush();
      return;
    }
    BufferedReader names =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String name = names.readLine(); name != null; name = names.readLine()) {
      StringBuilder answer = new StringBuilder();
      try (InputStream in = new Impatient(new FileInputStream(name))) {
        ArffLoader loader = new ArffLoader();
        loader.setSource(in);
        dump(loader.getDataSet(), answer);
      } catch (Throwable problem) {
        answer.setLength(0);
        answer.append("{\"error\":");
        quote(problem.toString(), answer);
        answer.append('}');
      }
      out.println(answer);
      out.flush();
    }
  }

  private static String load(File file, int times) throws IOException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    int rows = 0;
    long best = Long.MAX_VALUE;
    for (int i = 0; i < times; i++) {
      long start = system.getProcessCpuTime();
      ArffLoader loader = new ArffLoader();
      loader.setSource(file);
      rows = loader.getDataSet().numInstances();
      best = Math.min(best, system.getProcessCpuTime() - start);
    }
    return rows + " " + best / 1e9;
  }

  /** Ends the loops in which Weka reads the end of a file for ever. */
  private static final class Impatient extends FilterInputStream {
    private int ends = 0;

    Impatient(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      if (count < 0 && ++ends > 1000) {
        throw new IOException("endless loop at the end of the file");
      }
      return count;
    }
  }

  private static void dump(Instances data, StringBuilder out) {
    out.append("{\"relation\":");
    quote(data.relationName(), out);
    out.append(",\"attributes\":");
    attributes(data, out);
    out.append(",\"rows\":");
    rows(data, out);
    out.append('}');
  }

  private static void attributes(Instances data, StringBuilder out) {
    out.append('[');
    for (int i = 0; i < data.numAttributes(); i++) {
      Attribute attribute = data.attribute(i);
      out.append(i == 0 ? "{\"name\":" : ",{\"name\":");
      quote(attribute.name(), out);
      out.append(",\"type\":\"").append(Attribute.typeToString(attribute.type())).append('"');
      out.append(",\"weight\":\"").append(attribute.weight()).append('"');
      if (attribute.isNominal()) {
        out.append(",\"values\":[");
        for (int k = 0; k < attribute.numValues(); k++) {
          out.append(k == 0 ? "" : ",");
          quote(attribute.value(k), out);
        }
        out.append(']');
      } else if (attribute.isDate()) {
        out.append(",\"format\":");
        quote(attribute.getDateFormat(), out);
      } else if (attribute.isRelationValued()) {
        out.append(",\"attributes\":");
        attributes(attribute.relation(), out);
      }
      out.append('}');
    }
    out.append(']');
  }

  private static void rows(Instances data, StringBuilder out) {
    out.append('[');
    for (int i = 0; i < data.numInstances(); i++) {
      Instance row = data.instance(i);
      out.append(i == 0 ? "" : ",").append("{\"w\":\"").append(row.weight()).append("\",\"v\":[");
      for (int k = 0; k < data.numAttributes(); k++) {
        out.append(k == 0 ? "" : ",");
        Attribute attribute = data.attribute(k);
        if (row.isMissing(k)) {
          out.append("null");
        } else if (attribute.isNominal()) {
          out.append((int) row.value(k));
        } else if (attribute.isString()) {
          out.append("{\"s\":");
          quote(row.stringValue(k), out);
          out.append('}');
        } else if (attribute.isRelationValued()) {
          out.append("{\"rel\":");
          rows(attribute.relation((int) row.value(k)), out);
          out.append('}');
        } else {
          out.append('"').append(row.value(k)).append('"');
        }
      }
      out.append("]}");
    }
    out.append(']');
  }

  private static void quote(String text, StringBuilder out) {
    if (text == null) {
      out.append("null");
      return;
    }
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 32 || c > 126) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
