public import Bluetooth
import Diagnosis
import EventLoop
import HCIHost

/// An advertiser over `path`, not opened yet.
///
/// - Parameter adapter: which adapter; nil for the first that can be used.
/// - Throws: ``Bluetooth/SourceError`` of kind `invalid` for a path that cannot send.
public func makeAdvertiser(
  _ path: RadioPath, adapter: AdapterSelector? = nil
) throws(SourceError) -> any AdvertisingRadio {
  let reactor = Reactor.shared
  switch path {
  case .h4(let address):
    guard adapter == nil else {
      throw SourceError(
        .invalid, "h4: names the controller already", remedy: "leave out \(.adapter)")
    }
    return ControllerAdvertiser(reactor: reactor, access: H4Access(address: address), path: "h4")
  case .exclusive:
    return ControllerAdvertiser(
      reactor: reactor,
      access: ExclusiveAccess(
        reactor: reactor, host: LinuxHost(), target: AdapterTarget(adapter)), path: "exclusive")
  case .auto, .dbus:
    return DaemonAdvertiser(reactor: reactor, host: LinuxHost(), target: AdapterTarget(adapter))
  case .observe, .mgmt:
    throw SourceError(
      .invalid, "\(Remedy.Step.radioPath("\(path)")) cannot advertise",
      remedy: "use exclusive, h4: or dbus, or virtual to run without a radio")
  }
}
