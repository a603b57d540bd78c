import Bluetooth
import Synchronization

/// The adapter that a scan is about: what a person asked for, and once it is found its address, by
/// which it is found again under whatever number it comes back.
final class AdapterTarget: Sendable {
  private struct State {
    var address: BluetoothAddress?
    var index: UInt16?
  }

  /// What was asked for; nil for the first that can be used.
  let selector: AdapterSelector?
  private let state = Mutex(State())

  init(_ selector: AdapterSelector?) { self.selector = selector }

  /// Notes which adapter it is.
  func found(_ index: UInt16, _ address: BluetoothAddress?) {
    state.withLock { state in
      state.index = index
      if let address { state.address = address }
    }
  }

  /// What to look for now: the address when it is known.
  var wanted: AdapterSelector? {
    state.withLock { state in
      state.address.map { .address($0) } ?? state.index.map { .index($0) } ?? selector
    }
  }

  /// N of hciN, and the address; nil until the adapter was found.
  var place: (index: UInt16, address: BluetoothAddress?)? {
    state.withLock { state in state.index.map { ($0, state.address) } }
  }

  /// How to call it: by the last number, or as it was asked for.
  var name: String {
    state.withLock { $0.index }.map { "hci\($0)" } ?? selector?.description ?? "the adapter"
  }
}
