import Glibc

/// Why there is no terminal for the live table.
public struct TerminalError: Error, Equatable, CustomStringConvertible {
  /// The kinds.
  public enum Kind: Sendable, Equatable {
    /// Neither `/dev/tty` nor the terminal of standard output can be opened.
    case open
    /// The terminal cannot be switched to single keys.
    case configure
    /// The process can open no more files.
    case resources
  }

  /// The kind.
  public var kind: Kind
  /// The error number of the system call.
  public var code: CInt

  /// What happened and why.
  public var description: String {
    let reason = unsafe String(cString: strerror(code))
    return switch kind {
    case .open: "the terminal cannot be opened: \(reason)"
    case .configure: "the terminal cannot be set up: \(reason)"
    case .resources: "cannot open files for the live table: \(reason); raise 'ulimit -n'"
    }
  }
}
