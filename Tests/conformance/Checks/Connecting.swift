import Bluetooth

extension Check {
  static let connecting = [
    Check("is told that a peer is connected already, or shares it") { stage in
      _ = try await stage.read(.short)
      do {
        let second = try await stage.client.connect(
          to: stage.peer, GATTLimits(connect: .seconds(30), operation: .seconds(30)))
        await second.disconnect()
        await stage.disconnect()
      } catch let error as GATTError {
        try expect(error.kind, is: .busy, "the kind of the error (\(error))")
        try expect(try await stage.read(.short), is: Array("luna".utf8), "the value")
      }
    },
    Check("gives up on a peer that is not there") { stage in
      await stage.disconnect()
      guard let nobody = BluetoothAddress("D0:0D:00:00:00:7F") else { return }
      let error = try await expectError(.outOfRange, within: .milliseconds(3300)) {
        _ = try await stage.client.connect(
          to: GATTPeer(nobody, .random), GATTLimits(connect: .seconds(3)))
      }
      try expect(error.operation, is: "connect", "the operation")
      try await stage.hears(within: .seconds(60))
    },
    Check("waits for a peer that does not advertise yet") { stage in
      // A slow machine may come to its attempt when the peer is back already.
      var (seconds, isBack) = (UInt8(6), false)
      repeat {
        let began = ContinuousClock.now
        try await stage.command(.hide(seconds: seconds))
        await stage.disconnect()
        do {
          try await expectError(.outOfRange, within: .milliseconds(1800)) {
            let connection = try await stage.client.connect(
              to: stage.peer, GATTLimits(connect: .milliseconds(1500)))
            await connection.disconnect()
          }
          isBack = false
        } catch let failure as Failure {
          isBack = began.duration(to: .now) > .seconds(seconds)
          guard isBack, seconds < 24 else { throw failure }
          seconds *= 2
        }
      } while isBack
      try expect(try await stage.read(.short), is: Array("luna".utf8), "the value")
    },
    Check("tells of its attempts") { stage in
      await stage.disconnect()
      let (said, continuation) = AsyncStream<String>.makeStream()
      let connection = try await stage.client.connect(to: stage.peer, GATTLimits()) {
        continuation.yield($0)
      }
      continuation.finish()
      await connection.disconnect()
      let count = await said.reduce(into: 0) { count, _ in count += 1 }
      try expect(count > 0, "nothing was said")
    },
    Check("works with an MTU of 23") { stage in
      try await stage.command(.mtu(23))
      await stage.disconnect()
      let mtu = try await stage.connection().mtu
      try expect(mtu == nil || mtu == 23, "the MTU is \(mtu ?? 0)")
      try expect(try await stage.state().mtu, is: 23, "the largest MTU of the peer")
      try expect(try await stage.read(.long), is: PeerContract.longValue, "the long value")
      let value = (0..<512).map { UInt8(truncatingIfNeeded: $0 * 3) }
      try await stage.write(value, to: .store)
      try expect(try await stage.read(.store), is: value, "the value that was written")
      let indicate = try await stage.subscribe(.indicate)
      try await stage.command(.indicateOctets(200))
      try expect(try await stage.next(indicate), is: (0..<20).map { $0 }, "what fits of a value")
      try await stage.command(.mtu(517))
      await stage.disconnect()
    },
    Check("connects again and again") { stage in
      for _ in 0..<3 {
        try expect(try await stage.read(.short), is: Array("luna".utf8), "the value")
        await stage.disconnect()
      }
      try await stage.hears(within: .seconds(60))
    },
  ]

  static let last = [
    Check("ends its connections when it is closed") { stage in
      let connection = try await stage.connection()
      let short = try await stage.characteristic(.short)
      await stage.client.close()
      await stage.client.close()
      try await expectError(.abortedLocally) { _ = try await connection.read(short) }
      await stage.forget()
      try await stage.hears(within: .seconds(60))
    }
  ]
}
