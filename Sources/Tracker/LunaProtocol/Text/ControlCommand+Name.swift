extension ControlCommand {
  /// The name in packages and on the command line, such as `buzzStart`.
  public var name: String { String(describing: self) }
}
