import Bluetooth
import HCIHost

/// The machine as the Bluetooth code sees it: the one door to its system calls and files, so that
/// tests can put a scripted machine there.
protocol BluetoothHost: Sendable {
  /// A management socket; `withoutReports` keeps found devices off it.
  func openControl(withoutReports: Bool) async throws(SystemCallError) -> Int32
  /// A socket that gets what happens on all adapters, with the kernel's time; `reportsOnly` keeps
  /// all but advertising reports off it.
  func openMonitor(reportsOnly: Bool) async throws(SystemCallError) -> Int32
  /// The user channel of an adapter.
  func openUser(_ index: UInt16) throws(SystemCallError) -> Int32
  /// Gets what ``connectATT(from:isPublic:to:within:)`` needs and would wait for; before each.
  func prepareATT() async
  /// A socket for the Attribute Protocol that is connecting, from the adapter with this address.
  func connectATT(
    from own: BluetoothAddress, isPublic: Bool, to peer: GATTPeer, within limit: Duration
  ) throws(SystemCallError) -> Int32
  /// Whether an adapter is there and up.
  func isUp(_ index: UInt16) -> Bool
  /// The LE peers that an adapter is connected to now.
  func links(of index: UInt16) throws(SystemCallError) -> [BluetoothAddress]
  /// Takes an adapter down. A controller that does not answer keeps the caller waiting for seconds.
  func takeDown(_ index: UInt16) throws(SystemCallError)
  /// Takes an adapter up; waits as ``takeDown(_:)`` does.
  func bringUp(_ index: UInt16) throws(SystemCallError)
  /// Takes back the soft block of a switch of rfkill's, N of rfkillN.
  func unblock(_ number: UInt32) throws(SystemCallError)
  /// Resets a USB device by its node; waits until that is done.
  func resetUSB(_ node: String) throws(SystemCallError)
  /// The packets that the kernel dropped for want of room.
  func drops(on descriptor: Int32) -> UInt64

  /// The numbers of all adapters, also of those that a program has taken for itself.
  func devices() throws(SystemCallError) -> [UInt16]
  /// The kernel's code of the bus of an adapter.
  func bus(of index: UInt16) throws(SystemCallError) -> UInt8

  /// The contents of a small file, without white space at its end; nil when it cannot be read.
  func text(at path: String) -> String?
  /// The names in a directory.
  func entries(at path: String) -> [String]
  /// Where a symbolic link leads.
  func link(at path: String) -> String?
  /// The inode of a file; another one for an adapter that was registered anew.
  func inode(at path: String) -> UInt64?
  /// Writes a file whole and for this user alone; removes it when `text` is nil.
  func write(_ text: String?, to path: String)

  /// Where the system bus is.
  var busAddress: String { get }
  /// Directories for what has to be remembered while the machine runs, best first.
  var runtimeDirectories: [String] { get }
  /// This process.
  var processID: Int32 { get }
  /// The path of this program.
  var executable: String { get }
  /// Whether this process runs as root.
  var isRoot: Bool { get }
  /// Whether another program is there that may open sockets for this one.
  var helper: SocketHelper.State { get }
  /// Whether it has done so.
  var isHelped: Bool { get }
}

extension BluetoothHost {
  /// A socket that gets the advertising reports of all adapters, with the kernel's time.
  func openMonitor() async throws(SystemCallError) -> Int32 {
    try await openMonitor(reportsOnly: true)
  }
}
