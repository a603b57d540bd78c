public import Diagnosis
import Glibc

/// Why there is no terminal for the live table.
public struct TerminalError: Diagnosed, CustomStringConvertible, Equatable {
  /// What went wrong, for programs that decide by it.
  public enum Kind: Sendable, Equatable {
    /// Neither `/dev/tty` nor the terminal of standard output can be opened.
    case open
    /// The terminal cannot be switched to single keys.
    case configure
    /// The process can open no more files.
    case resources
  }

  /// What went wrong; ``diagnosis`` says it in words, and what to do.
  public var kind: Kind
  /// The error number of the system call.
  public var code: CInt

  /// What happened and why, and what to do.
  public var diagnosis: Diagnosis {
    let reason = unsafe String(cString: strerror(code))
    return switch kind {
    case .open: Diagnosis("the terminal cannot be opened: \(reason)")
    case .configure: Diagnosis("the terminal cannot be set up: \(reason)")
    case .resources:
      Diagnosis("cannot open files for the live table: \(reason)", remedy: "raise 'ulimit -n'")
    }
  }
}
