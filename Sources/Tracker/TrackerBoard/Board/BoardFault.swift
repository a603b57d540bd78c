package import PeripheralHost

/// Why a board cannot go on. It starts again: what is in flash is the state before whatever failed.
package enum BoardFault: Error, Hashable, Sendable {
  /// The record cannot be read, or is not written.
  case flash(FlashFailure)
  /// The controller cannot be used.
  case controller(ControllerFault)
  /// What the tracker computes with has failed.
  case crypto
  /// The source of entropy has broken down: the board makes no keys, and no codes.
  case entropy

  /// A word for the console.
  package var word: String {
    switch self {
    case .flash(.small): "flash-small"
    case .flash(.newer): "flash-newer"
    case .flash(.write): "flash-write"
    case .controller: "controller"
    case .crypto: "crypto"
    case .entropy: "entropy"
    }
  }
}
