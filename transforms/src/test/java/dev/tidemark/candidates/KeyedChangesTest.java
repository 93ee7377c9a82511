package dev.tidemark.candidates;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.sameInstance;
import static org.junit.Assert.assertThrows;

import dev.tidemark.change.ChangeKind;
import java.util.Arrays;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

@RunWith(JUnit4.class)
public class KeyedChangesTest {
  private static final byte[] SOURCE = {1, 2, 3, 4, 5, 6};

  @Test
  public void changesOfAnArrayAreNotCopied() {
    KeyedChanges changes =
        KeyedChanges.over(SOURCE, 1).addNext(ChangeKind.UPDATE_BEFORE, true, 2, 1, 2, 1).build();
    assertThat(changes.data(), is(sameInstance(SOURCE)));
    assertThat(range(changes, changes.keyOffset(0), changes.keyLength(0)), is("[1, 2]"));
    assertThat(range(changes, changes.identityOffset(0), changes.identityLength(0)), is("[3]"));
    assertThat(range(changes, changes.payloadOffset(0), changes.payloadLength(0)), is("[4, 5]"));
    assertThat(range(changes, changes.contextOffset(0), changes.contextLength(0)), is("[6]"));
    assertThat(changes.kind(0), is(ChangeKind.UPDATE_BEFORE));
    assertThat(changes.complete(0), is(true));
  }

  @Test
  public void changeOfAnotherBatchIsTakenWhole() {
    KeyedChanges from =
        KeyedChanges.over(SOURCE, 0)
            .addNext(ChangeKind.INSERT, true, 1, -1, 1, 0)
            .addNext(ChangeKind.DELETE, false, 1, -1, 2, 1)
            .build();
    KeyedChanges changes = KeyedChanges.builder().add(from, 1).build();
    assertThat(changes.size(), is(1));
    assertThat(changes.kind(0), is(ChangeKind.DELETE));
    assertThat(changes.complete(0), is(false));
    assertThat(changes.hasIdentity(0), is(false));
    assertThat(range(changes, changes.keyOffset(0), changes.keyLength(0)), is("[3]"));
    assertThat(range(changes, changes.identityOffset(0), changes.identityLength(0)), is("[4, 5]"));
    assertThat(range(changes, changes.contextOffset(0), changes.contextLength(0)), is("[6]"));
  }

  @Test
  public void rangeBeyondTheArrayIsRefused() {
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> KeyedChanges.over(SOURCE, 1).addNext(ChangeKind.INSERT, true, 3, -1, 3, 1));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> KeyedChanges.builder().addNext(ChangeKind.INSERT, true, 1, -1, 0, 0));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> KeyedChanges.builder().add(ChangeKind.INSERT, true, SOURCE, 3, 1, 2, 1));
  }

  @Test
  public void changeAtTheBeginningOfAnArrayIsCopied() {
    byte[] source = SOURCE.clone();
    KeyedChanges.Builder builder = KeyedChanges.builder();
    builder.add(ChangeKind.INSERT, true, source, 1, 1, 2, 1);
    source[0] = 9;
    KeyedChanges changes = builder.add(ChangeKind.DELETE, false, source, 2, -1, 1, 0).build();
    assertThat(range(changes, changes.keyOffset(0), changes.keyLength(0)), is("[1]"));
    assertThat(range(changes, changes.identityOffset(0), changes.identityLength(0)), is("[2]"));
    assertThat(range(changes, changes.payloadOffset(0), changes.payloadLength(0)), is("[3, 4]"));
    assertThat(range(changes, changes.contextOffset(0), changes.contextLength(0)), is("[5]"));
    assertThat(range(changes, changes.keyOffset(1), changes.keyLength(1)), is("[9, 2]"));
    assertThat(range(changes, changes.identityOffset(1), changes.identityLength(1)), is("[3]"));
    assertThat(changes.hasIdentity(1), is(false));
    assertThat(changes.size(), is(2));
  }

  private static String range(KeyedChanges changes, int offset, int length) {
    return Arrays.toString(Arrays.copyOfRange(changes.data(), offset, offset + length));
  }
}
