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
        KeyedChanges.over(SOURCE).addNext(ChangeKind.UPDATE_BEFORE, true, 2, 1, 2, 1).build();
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
        KeyedChanges.over(SOURCE)
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
        () -> KeyedChanges.over(SOURCE).addNext(ChangeKind.INSERT, true, 3, -1, 3, 1));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> KeyedChanges.builder().addNext(ChangeKind.INSERT, true, 1, -1, 0, 0));
  }

  private static String range(KeyedChanges changes, int offset, int length) {
    return Arrays.toString(Arrays.copyOfRange(changes.data(), offset, offset + length));
  }
}
