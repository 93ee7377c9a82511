package dev.tidemark.doris;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.Assert.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.io.BaseEncoding;
import dev.tidemark.streamload.PreCommitted;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderException;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.util.CoderUtils;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** What the write keeps in state and sends between its stages stays readable. */
@RunWith(JUnit4.class)
public class WriteCodersTest {
  private static final BaseEncoding HEX = BaseEncoding.base16().lowerCase();
  private static final DorisLoad LOAD =
      DorisLoad.builder()
          .database("d")
          .table("t")
          .label("l")
          .transactionId(7)
          .rows(3)
          .deletes(1)
          .bytes(300)
          .durationMillis(5)
          .replayed(true)
          .build();

  private static <T> String hex(Coder<T> coder, T value) throws CoderException {
    return HEX.encode(CoderUtils.encodeToByteArray(coder, value));
  }

  private static <T> T decoded(Coder<T> coder, String hex) throws CoderException {
    return CoderUtils.decodeFromByteArray(coder, HEX.decode(hex));
  }

  @Test
  public void partStaysAsItIs() throws Exception {
    PartCoder coder = new PartCoder();
    Part part =
        new Part(ImmutableList.of("id", "x"), 2, 1, new long[] {1, -2}, new byte[] {9, 8, 7});
    String hex =
        "01"
            + "00000002"
            + "026964"
            + "0178"
            + "02"
            + "01"
            + "02"
            + "0000000000000001"
            + "fffffffffffffffe"
            + "03"
            + "090807";
    assertThat(hex(coder, part), is(hex));
    Part again = decoded(coder, hex);
    assertThat(again.columns(), is(List.of("id", "x")));
    assertThat(again.rows() + " " + again.deletes(), is("2 1"));
    assertThat(Arrays.toString(again.hashes()), is("[1, -2]"));
    assertThat(HEX.encode(again.stream()), is("090807"));
  }

  @Test
  public void loadBodyStaysAsItIs() throws Exception {
    LoadBodyCoder coder = new LoadBodyCoder();
    LoadBody body =
        new LoadBody(300, ImmutableList.of("id"), 2, 1, List.of(new byte[] {1, 2}, new byte[] {3}));
    String hex = "01" + "ac02" + "00000001" + "026964" + "02" + "01" + "02" + "020102" + "0103";
    assertThat(hex(coder, body), is(hex));
    LoadBody again = decoded(coder, hex);
    assertThat(again.epoch(), is(300L));
    assertThat(again.columns(), is(List.of("id")));
    assertThat(again.rows() + " " + again.deletes() + " " + again.bytes(), is("2 1 3"));
    assertThat(again.streams().size(), is(2));
  }

  @Test
  public void shardKeyStaysAsItIs() throws Exception {
    ShardKey.ShardKeyCoder coder = new ShardKey.ShardKeyCoder();
    ShardKey key = ShardKey.of(DorisTable.of("d", "t").withKey("id"), 3, 200);
    String hex = "01" + "0164" + "0174" + "00000001" + "026964" + "03" + "c801";
    assertThat(hex(coder, key), is(hex));
    assertThat(decoded(coder, hex), is(key));
  }

  @Test
  public void shardPlaceStaysAsItIs() throws Exception {
    ShardPlace.ShardPlaceCoder coder = new ShardPlace.ShardPlaceCoder();
    assertThat(hex(coder, ShardPlace.of(300, 4)), is("01ac0204"));
    assertThat(decoded(coder, "01ac0204"), is(ShardPlace.of(300, 4)));
  }

  @Test
  public void preCommittedLoadStaysAsItIs() throws Exception {
    PreCommittedLoadCoder coder = new PreCommittedLoadCoder();
    PreCommittedLoad load = PreCommittedLoad.of(PreCommitted.of("d", "t", "l", 7, 300, 4), 2);
    String hex = "01" + "0164" + "0174" + "016c" + "07" + "ac02" + "04" + "02";
    assertThat(hex(coder, load), is(hex));
    assertThat(decoded(coder, hex), is(load));
  }

  @Test
  public void reportOfALoadStaysAsItIs() throws Exception {
    DorisLoadCoder coder = new DorisLoadCoder();
    String hex = "01" + "0164" + "0174" + "016c" + "07" + "03" + "01" + "ac02" + "05" + "01";
    assertThat(hex(coder, LOAD), is(hex));
    assertThat(decoded(coder, hex), is(LOAD));
  }

  @Test
  public void eventStaysAsItIs() throws Exception {
    LoadEventCoder coder = new LoadEventCoder(BadRecord.getCoder(Pipeline.create()));
    LoadEvent event = LoadEvent.of(LOAD, AttemptCounts.of(1, 2, 3, 4));
    String hex = "01" + "01" + "01020304" + hex(new DorisLoadCoder(), LOAD);
    assertThat(hex(coder, event), is(hex));
    assertThat(decoded(coder, hex), is(event));
  }

  @Test
  public void unknownVersionsAreRefused() {
    for (Coder<?> coder :
        List.of(
            new PartCoder(),
            new LoadBodyCoder(),
            new ShardKey.ShardKeyCoder(),
            new ShardPlace.ShardPlaceCoder(),
            new PreCommittedLoadCoder(),
            new DorisLoadCoder())) {
      CoderException e = assertThrows(CoderException.class, () -> decoded(coder, "02000000"));
      assertThat(e.getMessage(), containsString("unknown version 2"));
    }
  }

  @Test
  public void damagedLengthsAreRefused() {
    assertThrows(
        CoderException.class,
        () -> decoded(new PartCoder(), "01" + "00000001" + "026964" + "01" + "00" + "00" + "ff7f"));
    assertThrows(
        CoderException.class,
        () ->
            decoded(new LoadBodyCoder(), "01" + "01" + "00000001" + "026964" + "01" + "00" + "02"));
  }
}
