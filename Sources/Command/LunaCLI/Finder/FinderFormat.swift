import CommandSpec

/// The form in which `luna finder` tells what it does.
enum FinderFormat: String, CaseIterable, Sendable {
  case text, jsonl

  static var reader: ValueReader<FinderFormat?> {
    .choice([
      (Choice("text", "a plain log, for the journal of a service"), .text),
      (Choice("jsonl", "a JSON object on each line"), .jsonl),
    ])
  }
}
