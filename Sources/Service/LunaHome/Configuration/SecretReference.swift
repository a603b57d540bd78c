/// Where a secret is: it never stands in the file itself.
package enum SecretReference: Hashable, Sendable {
  /// A variable of the environment.
  case environment(String)
  /// A file that only its owner may read.
  case file(String)
  /// A credential of systemd's.
  case credential(String)

  init?(_ node: SourceNode) {
    if let name = node["env"]?.text {
      self = .environment(name)
    } else if let path = node["file"]?.text {
      self = .file(path)
    } else if let name = node["credential"]?.text {
      self = .credential(name)
    } else {
      return nil
    }
  }
}
