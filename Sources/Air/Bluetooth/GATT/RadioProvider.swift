/// Where radios come from: an adapter, a simulated room, a recording.
public protocol RadioProvider: Sendable {
  /// What kind of air is heard.
  var air: RadioAir { get }

  /// A radio that was not started; another one each time.
  ///
  /// - Parameter mode: whether advertisers are to be asked for their scan responses.
  /// - Throws: ``SourceError`` when what was asked for makes no sense.
  func makeRadio(_ mode: ScanMode) throws(SourceError) -> Radio
}
