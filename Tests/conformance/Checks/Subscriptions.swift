import Bluetooth

extension Check {
  static let subscriptions = [
    Check("delivers notifications in their order") { stage in
      let notify = try await stage.subscribe(.notify)
      try await stage.command(.notify(10))
      for number in 0..<10 {
        try expect(try await stage.next(notify), is: [UInt8(number)], "notification \(number)")
      }
    },
    Check("delivers indications in their order") { stage in
      let indicate = try await stage.subscribe(.indicate)
      try await stage.command(.indicate(10))
      for number in 0..<10 {
        try expect(try await stage.next(indicate), is: [UInt8(number)], "indication \(number)")
      }
    },
    Check("delivers a long indication whole") { stage in
      let indicate = try await stage.subscribe(.indicate)
      let mtu = try await stage.connection().mtu ?? 517
      try await stage.command(.indicateOctets(200))
      let wanted = (0..<min(200, mtu - 3)).map { UInt8($0) }
      try expect(try await stage.next(indicate), is: wanted, "the indication")
    },
    Check("keeps the last 64 values for those who are late") { stage in
      let notify = try await stage.subscribe(.notify)
      try await stage.complete(.notify(100))
      // The answer to a read comes after all that was sent before it.
      _ = try await stage.state()
      try expect(try await stage.next(notify), is: [36], "the first one that is kept")
      for number in 37..<100 {
        try expect(try await stage.next(notify), is: [UInt8(number)], "notification \(number)")
      }
      try await expectError(.timedOut) {
        _ = try await stage.next(notify, within: .milliseconds(100))
      }
    },
    Check("says when no value comes in time") { stage in
      let notify = try await stage.subscribe(.notify)
      let error = try await expectError(.timedOut, within: .milliseconds(900)) {
        _ = try await stage.next(notify, within: .milliseconds(500))
      }
      try expect(error.operation, is: "indication", "the operation")
    },
    Check("tells values that were read from values that were sent") { stage in
      let both = try await stage.subscribe(.both)
      try expect(try await stage.read(.both), is: Array("read".utf8), "the value read")
      try expect(try await stage.next(both), is: Array("sent".utf8), "the value sent")
      try await expectError(.timedOut) {
        _ = try await stage.next(both, within: .milliseconds(300))
      }
      // Where there is a choice bluetoothd takes notifications.
      let configuration = try await stage.state().configurations[2]
      try expect(configuration, is: stage.usesDaemon ? 1 : 2, "the client configuration")
    },
    Check("says what cannot be subscribed to") { stage in
      let short = try await stage.characteristic(.short)
      let connection = try await stage.connection()
      try await expectError(.notFound) { try await connection.subscribe(to: short) }
    },
  ]
}
