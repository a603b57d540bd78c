public import LunaCrypto
public import LunaJSON

/// Why a vector file, or a case of it, cannot be run. That an answer differs is no error.
public enum VectorError: Error, Hashable, Sendable {
  /// The file is not JSON.
  case json(JSONError)
  /// The file does not have the structure of a vector file.
  case format(String)
  /// This build has no group of that name.
  case unknownGroup(String)
  /// A case lacks a member, or it has another type.
  case member(String)
  /// libcrypto failed.
  case crypto(CryptoError)
}

extension VectorError: CustomStringConvertible {
  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .json(let error): "not JSON: \(error)"
    case .format(let problem): "not a vector file: \(problem)"
    case .unknownGroup(let name): "unknown group \(name)"
    case .member(let name): "\(name) is missing or mistyped"
    case .crypto(let error): "\(error)"
    }
  }
}
