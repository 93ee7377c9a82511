package dev.tidemark.rocksdb;

import static dev.tidemark.rocksdb.StoreFixture.bytes;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.candidates.ShardState.Bag;
import dev.tidemark.candidates.testing.InMemoryShardState;
import java.util.HexFormat;
import java.util.Map;
import org.junit.Test;

/** The bytes of version 1 of each stored format, which later releases have to read. */
public final class StoredFormatsTest {
  private static final Fence FENCE = new Fence(0x0102030405060708L, -2, 9);

  @Test
  public void headerIsThatOfVersionOne() {
    ShardHeader header = new ShardHeader(FENCE);
    header.active = 1;
    header.building = true;
    header.bases[0].id = 5;
    header.bases[0].version = 8;
    header.bases[1].chunks = 3;
    header.bases[1].bytes = 300;
    header.journalBytes[0] = 44;
    header.journalBytes[1] = 55;
    header.liveRecords = 6;
    header.liveBytes = 77;

    String hex = hex(header.encode(new StoredOutput()));
    assertThat(
        hex,
        is(
            "010102030405060708fffffffffffffffe00000000000000090300000000000000050000"
                + "00000000000800000000000000000000000000000000000000000000002c000000000000"
                + "000000000000000000000000000000000003000000000000012c00000000000000370000"
                + "000000000006000000000000004dfccdb2f7"));
    ShardHeader read = ShardHeader.decode(HexFormat.of().parseHex(hex), 0);
    assertThat(hex(read.encode(new StoredOutput())), is(hex));
  }

  @Test
  public void journalEntryIsThatOfVersionOne() {
    JournalWriter writer = new JournalWriter(new StoredOutput(), 9);
    writer.put(bytes("keyvalue"), 0, 3, 5);
    writer.remove(bytes("gone"), 0, 4);

    assertThat(
        hex(writer.finish().get(0)),
        is("010000000000000009000000000106056b657976616c756509676f6e651d9e15df"));
  }

  @Test
  public void chunkOfABaseImageIsThatOfVersionOne() {
    InMemoryShardState state = InMemoryShardState.ordered();
    ShardHeader header = new ShardHeader(FENCE);
    header.bases[0].id = 5;
    BaseChunks chunks = new BaseChunks(new StoredOutput(), state, header, 0);
    chunks.put(bytes("key"), 0, 3, bytes("value"), 0, 5);
    chunks.finish(true);

    assertThat(
        hex(state.elements(Bag.BASE_0).get(0)),
        is("0100000000000000050000000000000000000000000000000106056b657976616c75655f" + "106b70"));
  }

  @Test
  public void fencesOfACheckpointAreThoseOfVersionOne() {
    CheckpointFences fences = new CheckpointFences(3, Map.of(17, FENCE));

    assertThat(
        hex(fences.encode()),
        is("0100000003000000110102030405060708fffffffffffffffe0000000000000009d4261d" + "81"));
    assertThat(CheckpointFences.decode(fences.encode()), is(fences));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
