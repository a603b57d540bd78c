import CDBus
import EventLoop
import Foundation
import LunaTesting
import Synchronization
import Testing

@testable import SystemBus

@Suite(.timeLimit(.minutes(10))) struct BusConnectionTests {
  private static let bus = "org.freedesktop.DBus"
  private static let path = "/org/freedesktop/DBus"

  private func privateBus() throws -> PrivateBus {
    try #require(PrivateBus(), "dbus-daemon is not installed")
  }

  @Test func introducesItself() async throws {
    let bus = try privateBus()
    let connection = BusConnection()
    try await connection.open(address: bus.address)
    let names = try await connection.call(
      BusConnectionTests.bus, BusConnectionTests.path, BusConnectionTests.bus, "ListNames")
    #expect(names.first?.elements?.contains(.string(":1.0")) == true)
    await connection.close()
  }

  /// Somebody else on the reactor of a connection, who opens it.
  private actor Neighbour: ReactorActor {
    nonisolated let reactor: Reactor
    private var opening: Task<Void, any Error>?
    private(set) var hasBegun = false

    init(_ reactor: Reactor) { self.reactor = reactor }

    func open(_ connection: BusConnection, at address: String) {
      opening = Task {
        hasBegun = true
        try await connection.open(address: address, within: .seconds(600))
      }
    }

    func wait() async throws { try await opening?.value }
  }

  /// The radio shares its thread with the bus: it is not to stand still for a bus that takes nobody.
  @Test func othersOnTheReactorGoOnWhileItConnects() async throws {
    let listener = FullListener()
    let reactor = Reactor(name: "bus-connects")
    let (connection, neighbour) = (BusConnection(reactor: reactor), Neighbour(reactor))
    await neighbour.open(connection, at: "unix:path=\(listener.path)")
    try await waitUntil { await neighbour.hasBegun }
    // It is given up, and nothing comes of it when there is room at last.
    await connection.close()
    let error = await #expect(throws: BusError.self) { try await neighbour.wait() }
    listener.accept()
    #expect(error?.name == BusError.disconnected)
    await #expect(throws: BusError.self) {
      try await connection.call(
        BusConnectionTests.bus, BusConnectionTests.path, BusConnectionTests.bus, "ListNames")
    }
  }

  /// Where a task has an executor of its own, others have their turn on the reactor between its lines.
  @Test func endsCallsOfTasksOnTheirOwnThreadWhenItIsClosed() async throws {
    let bus = try privateBus()
    let tasks = BlockingTasks(name: "bus-calls")
    for _ in 0..<20 {
      let connection = BusConnection()
      try await connection.open(address: bus.address)
      let calls = (0..<8).map { _ in
        Task(executorPreference: tasks) {
          _ = try? await connection.call(
            BusConnectionTests.bus, BusConnectionTests.path, BusConnectionTests.bus, "ListNames")
        }
      }
      await connection.close()
      for call in calls { await call.value }
    }
  }

  @Test func aBusThatTakesNobodyIsGivenUp() async throws {
    let listener = FullListener()
    let connection = BusConnection()
    let error = await #expect(throws: BusError.self) {
      try await connection.open(address: "unix:path=\(listener.path)", within: .milliseconds(20))
    }
    #expect(error?.name == BusError.noReply)
    listener.accept()
  }

  @Test func readsPropertiesOfSeveralTypes() async throws {
    let bus = try privateBus()
    let connection = BusConnection()
    try await connection.open(address: bus.address)
    let properties = try await connection.properties(
      of: BusConnectionTests.bus, at: BusConnectionTests.path, on: BusConnectionTests.bus)
    #expect(properties["Features"]?.elements != nil)
    let one = try await connection.property(
      "Interfaces", of: BusConnectionTests.bus, at: BusConnectionTests.path,
      on: BusConnectionTests.bus)
    #expect(one?.elements?.isEmpty == false)
    let credentials = try await connection.call(
      BusConnectionTests.bus, BusConnectionTests.path, BusConnectionTests.bus,
      "GetConnectionCredentials", [.string(":1.0")])
    #expect(credentials.first?["ProcessID"]?.integer == Int(getpid()))
    await connection.close()
  }

  @Test func findsTheChildrenOfAnObject() async throws {
    let bus = try privateBus()
    let connection = BusConnection()
    try await connection.open(address: bus.address)
    let children = try await connection.children(of: "/", on: BusConnectionTests.bus)
    #expect(children == ["org/freedesktop/DBus"])
    await connection.close()
  }

  @Test func namesTheErrorOfTheOtherSide() async throws {
    let bus = try privateBus()
    let connection = BusConnection()
    try await connection.open(address: bus.address)
    let error = await #expect(throws: BusError.self) {
      try await connection.call("org.bluez", "/", "org.bluez.Adapter1", "StartDiscovery")
    }
    #expect(error?.name == BusError.serviceUnknown)
    #expect(error?.operation == "StartDiscovery")
    #expect(try await connection.owner(of: "org.bluez") == nil)
    await connection.close()
  }

  @Test(arguments: [("not a name", "/"), ("org.bluez", "no path"), ("org.bluez", "//")])
  func refusesNamesThatWouldEndTheProcess(_ destination: String, _ path: String) async throws {
    let bus = try privateBus()
    let connection = BusConnection()
    try await connection.open(address: bus.address)
    let error = await #expect(throws: BusError.self) {
      try await connection.call(destination, path, "org.bluez.Adapter1", "StartDiscovery")
    }
    #expect(error?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    await connection.close()
  }

  @Test func deliversTheSignalsThatAreAskedFor() async throws {
    let bus = try privateBus()
    let (names, sink) = AsyncStream.makeStream(of: String.self)
    let listener = BusConnection(onSignal: { signal in
      if signal.isSignal("org.freedesktop.DBus", "NameOwnerChanged") {
        sink.yield(signal.arguments.first?.text ?? "")
      }
    })
    try await listener.open(address: bus.address)
    try await listener.addMatch("type='signal',member='NameOwnerChanged'")
    let other = BusConnection()
    try await other.open(address: bus.address)
    var iterator = names.makeAsyncIterator()
    #expect(await iterator.next() == ":1.1")
    await other.close()
    #expect(await iterator.next() == ":1.1")
    await listener.close()
  }

  @Test func failsWithoutABus() async {
    let connection = BusConnection()
    let error = await #expect(throws: BusError.self) {
      try await connection.open(address: "unix:path=/nowhere/at/all")
    }
    #expect(error?.operation == "connect")
  }

  @Test func tellsThatTheBusIsGone() async throws {
    let bus = try privateBus()
    let (ends, sink) = AsyncStream.makeStream(of: Void.self)
    let connection = BusConnection(onClose: { sink.yield() })
    try await connection.open(address: bus.address)
    bus.end()
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    let error = await #expect(throws: BusError.self) {
      try await connection.owner(of: "org.bluez")
    }
    #expect(error?.name == BusError.disconnected)
  }

  private func openAndForget(_ address: String) async throws {
    let connection = BusConnection()
    try await connection.open(address: address)
    try await connection.addMatch("type='signal'")
  }

  @Test func closesWhenNobodyHasItAnyMore() async throws {
    let bus = try privateBus()
    let observer = BusConnection()
    try await observer.open(address: bus.address)
    try await openAndForget(bus.address)
    try await waitUntil { try await observer.owner(of: ":1.1") == nil }
    await observer.close()
  }

  /// A client of the bus that never answers.
  private final class SilentPeer {
    let name: String
    private let connection: OpaquePointer

    init(_ bus: PrivateBus) throws {
      let peer = try #require(dbus_connection_open_private(bus.address, nil))
      #expect(dbus_bus_register(peer, nil) != 0)
      dbus_connection_set_exit_on_disconnect(peer, 0)
      name = String(cString: try #require(dbus_bus_get_unique_name(peer)))
      connection = peer
    }

    /// Whether a call has come.
    func wasCalled() -> Bool {
      dbus_connection_read_write(connection, 0)
      while let message = dbus_connection_pop_message(connection) {
        defer { dbus_message_unref(message) }
        if dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL { return true }
      }
      return false
    }

    deinit {
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
    }
  }

  @Test func doesNotWaitForEver() async throws {
    let bus = try privateBus()
    let connection = BusConnection()
    try await connection.open(address: bus.address)
    let peer = try SilentPeer(bus)
    let name = peer.name
    let error = await #expect(throws: BusError.self) {
      try await connection.call(name, "/", "a.b", "C", within: .milliseconds(100))
    }
    #expect(error?.name == BusError.noReply)
    await connection.close()
    withExtendedLifetime(peer) {}
  }

  @Test func closesUnderWaitingCalls() async throws {
    let bus = try privateBus()
    let connection = BusConnection()
    try await connection.open(address: bus.address)
    let peer = try SilentPeer(bus)
    let name = peer.name
    let call = Task { () -> BusError? in
      do throws(BusError) {
        try await connection.call(name, "/", "a.b", "C", within: .seconds(600))
        return nil
      } catch {
        return error
      }
    }
    try await waitUntil { peer.wasCalled() }
    await connection.close()
    #expect(await call.value?.name == BusError.disconnected)
    withExtendedLifetime(peer) {}
  }

  @Test func answersACallLater() async throws {
    let bus = try privateBus()
    let (calls, sink) = AsyncStream.makeStream(of: BusMethodCall.self)
    let server = BusConnection()
    try await server.open(address: bus.address)
    try await server.export("/object") { call in
      sink.yield(call)
      return .later
    }
    let client = BusConnection()
    try await client.open(address: bus.address)
    async let answer = client.call(
      ":1.0", "/object", "a.b", "C", [.uint16(7)], within: .seconds(600))
    async let other = client.call(":1.0", "/object", "a.b", "D", within: .seconds(600))
    var iterator = calls.makeAsyncIterator()
    let first = try #require(await iterator.next())
    let second = try #require(await iterator.next())
    #expect((first.sender, first.arguments) == (":1.1", [.uint16(7)]) || first.member == "D")
    for call in [second, first] {
      await server.reply(
        call.member == "C" ? .values([.bytes([1, 2])]) : .error("a.b.Error", "no"), to: call.token)
      // Once.
      await server.reply(.values([]), to: call.token)
    }
    #expect(try await answer == [.bytes([1, 2])])
    do {
      _ = try await other
      Issue.record("an error is no answer")
    } catch {
      #expect((error as? BusError)?.name == "a.b.Error")
    }
    await client.close()
    await server.close()
  }

  @Test func sendsSignals() async throws {
    let bus = try privateBus()
    let (values, sink) = AsyncStream.makeStream(of: [BusValue].self)
    let listener = BusConnection(onSignal: { signal in
      if signal.isSignal("a.b", "Changed"), signal.path == "/object" {
        sink.yield(signal.arguments)
      }
    })
    try await listener.open(address: bus.address)
    try await listener.addMatch("type='signal',interface='a.b'")
    let sender = BusConnection()
    try await sender.open(address: bus.address)
    try await sender.emit("/object", "a.b", "Changed", [.string("x"), .dictionary([])])
    var iterator = values.makeAsyncIterator()
    #expect(await iterator.next() == [.string("x"), .dictionary([])])
    for (path, interface, member) in [("object", "a.b", "C"), ("/o", "a", "C"), ("/o", "a.b", "1")]
    {
      await #expect(throws: BusError.self) { try await sender.emit(path, interface, member, []) }
    }
    await sender.close()
    await #expect(throws: BusError.self) { try await sender.emit("/o", "a.b", "C", []) }
    await listener.close()
  }
}
