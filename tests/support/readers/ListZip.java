import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Prints "size name" per entry, from the central directory. */
class ListZip {
  public static void main(String[] arguments) throws Exception {
    try (ZipFile archive = new ZipFile(arguments[0])) {
      for (ZipEntry entry : archive.stream().toList()) System.out.println(entry.getSize() + " " + entry.getName());
    }
  }
}
