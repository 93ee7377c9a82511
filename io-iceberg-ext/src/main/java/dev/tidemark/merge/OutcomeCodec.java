package dev.tidemark.merge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Table;

/** What came of a part as bytes, for shuffles within one run; never kept. */
final class OutcomeCodec {
  private static final ObjectMapper JSON = new ObjectMapper();

  private OutcomeCodec() {}

  static byte[] encode(PartMerge.Outcome outcome, Table table) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(outcome.keys);
      out.writeLong(outcome.superseded);
      out.writeInt(outcome.mergedFilesRead);
      out.writeLong(outcome.inserted);
      out.writeInt(outcome.filesRead);
      out.writeBoolean(outcome.truncated);
      writeFiles(outcome.written.rows, table, out);
      writeFiles(outcome.written.deletes, table, out);
      out.writeInt(outcome.hits.size());
      for (FileHits hits : outcome.hits) {
        writeFile(hits.file(), table, out);
        writeFiles(hits.deletes(), table, out);
        out.writeInt(hits.positions().length);
        for (long position : hits.positions()) {
          out.writeLong(position);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static PartMerge.Outcome decode(byte[] bytes, Table table) {
    PartMerge.Outcome outcome = new PartMerge.Outcome();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      outcome.keys = in.readLong();
      outcome.superseded = in.readLong();
      outcome.mergedFilesRead = in.readInt();
      outcome.inserted = in.readLong();
      outcome.filesRead = in.readInt();
      outcome.truncated = in.readBoolean();
      readFiles(in, table).forEach(file -> outcome.written.rows.add((DataFile) file));
      readFiles(in, table).forEach(file -> outcome.written.deletes.add((DeleteFile) file));
      int files = in.readInt();
      for (int i = 0; i < files; i++) {
        DataFile file = (DataFile) readFile(in, table);
        List<DeleteFile> deletes = new ArrayList<>();
        readFiles(in, table).forEach(delete -> deletes.add((DeleteFile) delete));
        long[] positions = new long[in.readInt()];
        for (int p = 0; p < positions.length; p++) {
          positions[p] = in.readLong();
        }
        outcome.hits.add(new FileHits(file, deletes, positions));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return outcome;
  }

  private static void writeFiles(
      List<? extends ContentFile<?>> files, Table table, DataOutputStream out) throws IOException {
    out.writeInt(files.size());
    for (ContentFile<?> file : files) {
      writeFile(file, table, out);
    }
  }

  private static void writeFile(ContentFile<?> file, Table table, DataOutputStream out)
      throws IOException {
    byte[] json =
        ContentFileParser.toJson(file, table.specs().get(file.specId()))
            .getBytes(StandardCharsets.UTF_8);
    out.writeInt(json.length);
    out.write(json);
  }

  private static List<ContentFile<?>> readFiles(DataInputStream in, Table table)
      throws IOException {
    int count = in.readInt();
    List<ContentFile<?>> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(readFile(in, table));
    }
    return files;
  }

  private static ContentFile<?> readFile(DataInputStream in, Table table) throws IOException {
    byte[] json = new byte[in.readInt()];
    in.readFully(json);
    try {
      return ContentFileParser.fromJson(
          JSON.readTree(new String(json, StandardCharsets.UTF_8)), table.specs());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot decode a file of table " + table.name(), e);
    }
  }
}
