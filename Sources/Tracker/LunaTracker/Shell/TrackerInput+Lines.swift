import EventLoop
package import TrackerMachine

extension TrackerInput {
  /// Hands on what lines say, until they end, beside everything else.
  ///
  /// - Parameters:
  ///   - lines: gives the next line, for which it may wait; nil at the end.
  ///   - names: the trackers that there are.
  ///   - mistaken: gets a line that makes no sense.
  ///   - send: gets what happens to which tracker.
  package static func take(
    _ lines: @escaping @Sendable () -> String?, names: [String],
    mistaken: @escaping @Sendable (String) -> Void,
    send: @escaping @Sendable (TrackerMachine.Event, String) async -> Void
  ) {
    let (inputs, inlet) = AsyncStream.makeStream(of: TrackerInput.self)
    Blocking.start {
      while let line = lines() {
        if let input = TrackerInput(line, names: names) {
          inlet.yield(input)
        } else if !line.isEmpty {
          mistaken(line)
        }
      }
      inlet.finish()
    }
    Task.detached {
      for await input in inputs {
        for event in input.events {
          await send(event, input.name)
          if case .buttonDown = event, input.events.count > 1 {
            try? await Task.sleep(for: input.hold)
          }
        }
      }
    }
  }
}
