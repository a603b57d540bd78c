import Bluetooth
import Diagnosis
import SystemBus
import Testing

@testable import BlueZ

/// The names and texts are those of BlueZ 5.66: src/error.c, src/error.h, src/device.c,
/// src/gatt-client.c; and of the C library and the reference D-Bus implementation.
@Suite struct DaemonFaultTests {
  private static let failed = "org.bluez.Error.Failed"

  @Test(arguments: [
    (failed, "le-connection-abort-by-local", GATTError.Kind.abortedLocally),
    (failed, "le-connection-abort-by-remote", .abortedByPeer),
    (failed, "br-connection-canceled", .abortedLocally),
    (failed, "br-connection-aborted-by-remote", .abortedByPeer),
    (failed, "le-connection-timeout", .outOfRange),
    (failed, "br-connection-page-timeout", .outOfRange),
    (failed, "le-connection-busy", .busy),
    (failed, "le-connection-concurrent-connection-limit", .busy),
    (failed, "le-connection-already-connected", .busy),
    (failed, "le-connection-refused", .refused),
    (failed, "le-connection-not-supported", .refused),
    (failed, "le-connection-adapter-not-powered", .adapterLost),
    (failed, "le-connection-link-layer-protocol-error", .abortedLocally),
    (failed, "le-connection-gatt-browsing", .abortedLocally),
    (failed, "le-connection-unknown", .abortedLocally),
    ("org.bluez.Error.NotAvailable", "br-connection-profile-unavailable", .refused),
    ("org.bluez.Error.InProgress", "br-connection-busy", .busy),
    ("org.bluez.Error.NotReady", "br-connection-adapter-not-powered", .adapterLost),
    (failed, "Operation already in progress", .busy),
    (failed, "Input/output error", .abortedLocally),
    (failed, "Software caused connection abort", .abortedLocally),
    (failed, "Connection reset by peer", .abortedByPeer),
    (failed, "Connection timed out", .outOfRange),
    (failed, "Host is down", .outOfRange),
    (failed, "Connection refused", .refused),
    (failed, "No route to host", .adapterLost),
    ("org.bluez.Error.ConnectionAttemptFailed", "Page Timeout", .outOfRange),
    ("org.bluez.Error.AuthenticationFailed", "Authentication Failed", .refused),
    ("org.bluez.Error.DoesNotExist", "Does Not Exist", .notFound),
    (BusError.unknownObject, "Method \"Connect\" doesn't exist", .notFound),
    ("org.freedesktop.DBus.Error.UnknownMethod", "", .notFound),
    (BusError.serviceUnknown, "The name org.bluez was not provided", .daemonRestarted),
    (BusError.disconnected, "", .daemonRestarted),
    (BusError.noReply, "Did not receive a reply", .timedOut),
    (BusError.accessDenied, "Rejected send message", .refused),
  ])
  func classifiesErrorsOfConnecting(_ name: String, _ message: String, _ kind: GATTError.Kind) {
    let error = DaemonFault.connecting(
      BusError(name: name, message: message, operation: "Connect"))
    #expect(error.kind == kind, "\(name): \(message)")
    #expect(error.operation == "connect")
    #expect(error.reason.contains(message.isEmpty ? name : message))
  }

  @Test(
    arguments: [
      ("org.bluez.Error.NotPermitted", "Read not permitted", GATTError.Kind.refused, 0x02),
      ("org.bluez.Error.NotPermitted", "Write not permitted", .refused, 0x03),
      ("org.bluez.Error.NotPermitted", "Not paired", .refused, nil),
      ("org.bluez.Error.NotPermitted", "Write acquired", .busy, nil),
      ("org.bluez.Error.NotPermitted", "Notify acquired", .busy, nil),
      ("org.bluez.Error.InvalidArguments", "Invalid offset", .refused, 0x07),
      ("org.bluez.Error.InvalidArguments", "Invalid Length", .refused, 0x0D),
      ("org.bluez.Error.NotAuthorized", "Operation Not Authorized", .refused, 0x08),
      ("org.bluez.Error.NotSupported", "Operation is not supported", .refused, 0x06),
      (failed, "Operation failed with ATT error: 0x0e", .refused, 0x0E),
      (failed, "Operation failed with ATT error: 0x80", .refused, 0x80),
      (failed, "Operation failed", .refused, nil),
      (failed, "Failed to initiate write", .refused, nil),
      (failed, "Not connected", .abortedByPeer, nil),
      (failed, "No ATT transport", .abortedByPeer, nil),
      ("org.bluez.Error.NotConnected", "Not Connected", .abortedByPeer, nil),
      ("org.bluez.Error.InProgress", "In Progress", .busy, nil),
      (BusError.noReply, "Did not receive a reply", .timedOut, nil),
      (BusError.serviceUnknown, "", .daemonRestarted, nil),
    ] as [(String, String, GATTError.Kind, UInt8?)])
  func classifiesErrorsOfOperations(
    _ name: String, _ message: String, _ kind: GATTError.Kind, _ code: UInt8?
  ) {
    let error = DaemonFault.operation(
      BusError(name: name, message: message, operation: "ReadValue"), during: "read")
    #expect(error.kind == kind, "\(name): \(message)")
    #expect(error.attributeError == code)
    #expect(error.operation == "read")
  }

  @Test func readsPathsAndFlags() {
    let address = BluetoothAddress(value: 0xE71A_0000_0001)
    #expect(DaemonPath.peer(address, on: 1) == "/org/bluez/hci1/dev_E7_1A_00_00_00_01")
    #expect(DaemonPath.valueHandle(of: "/a/service0010/char001f") == 0x20)
    #expect(DaemonPath.valueHandle(of: "/a/service0010/desc001f") == nil)
    #expect(DaemonPath.valueHandle(of: "/a/charffff") == nil)
    #expect(
      DaemonPath.properties(["read", "write-without-response", "indicate", "secure-read"])
        == [.read, .writeWithoutResponse, .indicate])
    #expect(DaemonPath.uuid("00002a07-0000-1000-8000-00805f9b34fb") == .bit16(0x2A07))
  }
}
