/**
 * The ordered candidates of sink keys, as bytes: what a changelog means per key. Plain Java,
 * without Beam.
 *
 * <p>{@link dev.tidemark.candidates.UpsertMaterializer} applies batches of changes to the records
 * of one shard, which a {@link dev.tidemark.candidates.CandidateStore} keeps. The order within a
 * key is the order of arrival; keys are independent of one another.
 *
 * <p>A key with few candidates is one record. From {@link
 * dev.tidemark.candidates.UpsertSemantics#high} candidates on it becomes a list of linked nodes, of
 * which a change touches a few, and at {@link dev.tidemark.candidates.UpsertSemantics#low} it
 * becomes one record again. The strategy has no part in this but for {@code ADAPTIVE} with
 * floating-point upsert keys. A key without candidates has no record. Records, by the first byte of
 * their key:
 *
 * <ul>
 *   <li>{@code 00 key}: head. A byte for version and form (10, +1 with a time, +2 if linked); the
 *       time of the last change in milliseconds, 8 bytes, if it has one; then, if it is not linked,
 *       the candidates in order, else the number of the list, its first and last node, the highest
 *       number of a node so far, and how many candidates there are;
 *   <li>{@code 01 list node}: a node. How far before it the previous node is, how far behind it the
 *       next one and the next one with the same match, 0 for none; the candidate. Numbers of nodes
 *       rise in the order of the list and are never used again, nor are those of lists;
 *   <li>{@code 02 list 00 match} or {@code 02 list 01 SHA-256(match)} where the match is longer
 *       than 64 bytes: the first node with this match, and how far behind it the last one is. A
 *       match is what is compared: the identity, or its normalised form where floating-point fields
 *       are compared as fields. What can never match has no such record;
 *   <li>{@code 03 list}: a list that has gone at once, of which sweeps have not removed all records
 *       yet. A version, and the key of the record that was removed last, if there is one;
 *   <li>{@code 7f}: what the shard is bound to. Version, kind of matching, number of the next list,
 *       whether there is a time to live and since when (8 bytes), description;
 *   <li>{@code 7f 01}: version, live keys, live candidates, a byte (1 if a sweep is under way, +2
 *       if there are records {@code 03}), the head that the sweep came to.
 * </ul>
 *
 * <p>A list that expires goes at once, whatever its length: its head is removed and a record {@code
 * 03} is written in the same batch. Nothing leads to its nodes from then on, and the next candidate
 * of the key begins another list. Sweeps remove nodes and index entries in the order of their keys,
 * and note in the record {@code 03} how far they came, in the batch that removes them; a failed
 * batch takes back both. The record goes last.
 *
 * <p>A candidate is its identity and its payload if there is an upsert key; otherwise its payload,
 * after the number of equal ones that follow one another. Slices come after their lengths. Numbers
 * are unsigned LEB128 in their shortest form, those in keys 8 bytes, the highest first.
 *
 * <p>Tripwires in {@link dev.tidemark.candidates.MaterializerStatistics}: retractions without a
 * candidate mean that the changelog is out of order, was cut, or carries rows that are not
 * deterministic; {@code dropped} and {@code beyondSoftBound} mean that retractions do not come or
 * do not match; {@code olderSlotReplacements} mean additions whose retraction did not come first.
 */
package dev.tidemark.candidates;
