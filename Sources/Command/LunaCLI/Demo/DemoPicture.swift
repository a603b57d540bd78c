import Glibc

/// Where the map is drawn.
struct DemoPicture: Sendable {
  /// A name of ours: where it is taken, a free one like it.
  static let standard = "luna-demo.svg"

  let path: String
  private let replaces: Bool

  /// - Parameters:
  ///   - path: where its user wants it; nil for ``standard``.
  ///   - force: whether a file that is there may be overwritten.
  /// - Throws: ``CommandFailure`` when nothing can be written there: better now than after the story.
  init(_ path: String?, force: Bool) throws(CommandFailure) {
    self.path = path ?? (force ? DemoPicture.standard : DemoPicture.freeName)
    replaces = force
    try OutputFile.check(self.path, replacing: replaces)
  }

  /// `luna-demo.svg`, `luna-demo-2.svg` and so on.
  private static var freeName: String {
    let others = (2...999).lazy.map { "luna-demo-\($0).svg" }
    return access(standard, F_OK) != 0
      ? standard : others.first { access($0, F_OK) != 0 } ?? standard
  }

  func write(_ text: String) throws(CommandFailure) {
    try OutputFile.write(Array(text.utf8), to: path, replacing: replaces)
  }
}
