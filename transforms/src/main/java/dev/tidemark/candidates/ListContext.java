package dev.tidemark.candidates;

/** What all lists of a materializer use: scratch space and how they match. */
final class ListContext {
  final Matching matching;
  final RecordKeys keys = new RecordKeys();
  final RecordReader reader = new RecordReader();
  final RecordWriter writer = new RecordWriter();

  ListContext(Matching matching) {
    this.matching = matching;
  }
}
