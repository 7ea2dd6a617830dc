import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** Prints "size sha256(name) sha256(content)" per entry: from the central directory, then from the local headers. */
class ReadZip {
  public static void main(String[] arguments) throws Exception {
    try (ZipFile archive = new ZipFile(arguments[0])) {
      for (ZipEntry entry : archive.stream().toList()) {
        try (InputStream body = archive.getInputStream(entry)) {
          print(entry, body);
        }
      }
    }
    System.out.println("--");
    try (ZipInputStream archive = new ZipInputStream(new BufferedInputStream(new FileInputStream(arguments[0])))) {
      for (ZipEntry entry; (entry = archive.getNextEntry()) != null; ) {
        print(entry, archive);
      }
    }
  }

  private static void print(ZipEntry entry, InputStream body) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    byte[] buffer = new byte[1 << 16];
    long size = 0;
    for (int count; (count = body.read(buffer)) > 0; size += count) digest.update(buffer, 0, count);
    byte[] name = MessageDigest.getInstance("SHA-256").digest(entry.getName().getBytes(StandardCharsets.UTF_8));
    HexFormat hex = HexFormat.of();
    System.out.println(size + " " + hex.formatHex(name) + " " + hex.formatHex(digest.digest()));
  }
}
