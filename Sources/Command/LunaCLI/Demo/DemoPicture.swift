/// Where the map is drawn.
struct DemoPicture: Sendable {
  /// A name of ours: what an earlier run left there is replaced.
  static let standard = "luna-demo.svg"

  let path: String
  private let replaces: Bool

  /// - Parameters:
  ///   - path: where its user wants it; nil for ``standard``.
  ///   - force: whether a file that is there may be overwritten.
  /// - Throws: ``CommandFailure`` when nothing can be written there: better now than after the story.
  init(_ path: String?, force: Bool) throws(CommandFailure) {
    self.path = path ?? DemoPicture.standard
    replaces = force || path == nil
    try OutputFile.check(self.path, replacing: replaces)
  }

  func write(_ text: String) throws(CommandFailure) {
    try OutputFile.write(Array(text.utf8), to: path, replacing: replaces)
  }
}
