import Testing

/// Says what is wrong, where a test ends for it.
func fail(_ text: String, at place: SourceLocation = #_sourceLocation) {
  Issue.record(Comment(rawValue: text), sourceLocation: place)
}
