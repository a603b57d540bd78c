import Bluetooth

extension Check {
  /// How a connection ends, and that another one can be made afterwards.
  static let endings = [
    Check("disconnects, and the peer knows") { stage in
      let connections = try await stage.state().connections
      let connection = try await stage.connection()
      let short = try await stage.characteristic(.short)
      await connection.disconnect()
      await connection.disconnect()
      try await expectError(.abortedLocally, within: .milliseconds(500)) {
        _ = try await connection.read(short)
      }
      await stage.forget()
      try await stage.hears(within: .seconds(60))
      try expect(try await stage.state().connections, is: connections + 1, "the connections")
    },
    Check("survives or reports PDUs that nobody should send") { stage in
      do {
        try await stage.complete(.sendGarbage)
        try expect(try await stage.read(.short), is: Array("luna".utf8), "the value")
      } catch let error as GATTError {
        let kinds: [GATTError.Kind] = [.malformed, .abortedByPeer, .abortedLocally]
        try expect(kinds.contains(error.kind), "\(error) is \(error.kind.rawValue)")
        await stage.disconnect()
      }
      try expect(try await stage.read(.short), is: Array("luna".utf8), "the value afterwards")
    },
    Check("ends a wait when the peer disconnects, after what it sent before") { stage in
      let indicate = try await stage.subscribe(.indicate)
      try await stage.command(.indicate(2))
      // Not before both of them are confirmed, however long that takes.
      try await stage.command(.disconnect(after: 150))
      try await Task.sleep(for: .milliseconds(300))
      try expect(try await stage.next(indicate), is: [0], "the first indication")
      try expect(try await stage.next(indicate), is: [1], "the second indication")
      try await expectError(.abortedByPeer) {
        _ = try await stage.next(indicate, within: .seconds(60))
      }
      try await expectError(.abortedByPeer) { _ = try await stage.read(.short) }
      await stage.disconnect()
      try await stage.hears(within: .seconds(60))
    },
    Check("ends a read when the peer disconnects instead of answering") { stage in
      try await expectError(.abortedByPeer, within: .seconds(4)) {
        _ = try await stage.read(.dropping)
      }
      await stage.disconnect()
      try expect(try await stage.read(.short), is: Array("luna".utf8), "the value afterwards")
    },
    Check("notices a peer that vanishes, and finds it again") { stage in
      let indicate = try await stage.subscribe(.indicate)
      try await stage.command(.vanish(after: 20, seconds: 3))
      try await expectError(.abortedByPeer, within: .seconds(6)) {
        _ = try await stage.next(indicate, within: .seconds(60))
      }
      await stage.disconnect()
      try expect(try await stage.read(.short), is: Array("luna".utf8), "the value afterwards")
    },
    Check("gives up on an answer that never comes") { stage in
      try await stage.connection().limitOperations(to: .seconds(4))
      try await expectError(.timedOut, within: .seconds(5)) { _ = try await stage.read(.silent) }
      await stage.disconnect()
      try expect(try await stage.read(.short), is: Array("luna".utf8), "the value afterwards")
    },
    Check("gives up on an answer that is none") { stage in
      try await stage.connection().limitOperations(to: .seconds(4))
      try await expectError(.malformed, .refused, .abortedByPeer, .timedOut, within: .seconds(5)) {
        _ = try await stage.read(.garbage)
      }
      await stage.disconnect()
      try expect(try await stage.read(.short), is: Array("luna".utf8), "the value afterwards")
    },
  ]
}
