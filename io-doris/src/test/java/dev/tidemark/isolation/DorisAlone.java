package dev.tidemark.isolation;

import dev.tidemark.doris.DorisIO;
import dev.tidemark.doris.DorisTable;
import dev.tidemark.doris.emulator.DorisEmulator;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.Row;

/**
 * A program of this module and the direct runner alone: writes three rows to an emulator and reads
 * the table. Its arguments name classes that must not be there.
 */
final class DorisAlone {
  private static final Schema SCHEMA = Schema.builder().addInt64Field("id").build();

  public static void main(String[] args) {
    AbsentClasses.check(args);
    try (DorisEmulator doris = DorisEmulator.builder().start()) {
      doris.createTable("CREATE TABLE db.events (id BIGINT NOT NULL) UNIQUE KEY(id)");
      Pipeline pipeline = Pipeline.create(PipelineOptionsFactory.create());
      pipeline
          .apply(Create.of(row(1), row(2), row(3)).withRowSchema(SCHEMA))
          .apply(
              DorisIO.write()
                  .withFrontends(doris.frontend())
                  .withUser("root")
                  .withPassword("")
                  .to(DorisTable.of("db", "events").withKey("id"))
                  .withLabelPrefix("alone"));
      pipeline.run().waitUntilFinish();
      System.out.println("rows=" + doris.rows("db", "events").size());
    }
  }

  private static Row row(long id) {
    return Row.withSchema(SCHEMA).addValues(id).build();
  }

  private DorisAlone() {}
}
