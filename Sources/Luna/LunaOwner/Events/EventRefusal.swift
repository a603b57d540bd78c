/// Why an event cannot be opened.
struct EventRefusal: Error, Hashable, Sendable {
  let reason: String
}
