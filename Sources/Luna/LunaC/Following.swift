import Bluetooth
public import CLuna
import Luna
import LunaCore
import LunaDocuments
import LunaLocal
import LunaStore

/// `luna_following_start` of luna.h.
@_cdecl("luna_following_start")
public func startFollowing(
  _ source: UnsafePointer<CChar>?, _ state: UnsafePointer<CChar>?,
  _ update: luna_following_callback?, _ end: luna_end_callback?,
  _ context: UnsafeMutableRawPointer?, _ following: UnsafeMutablePointer<OpaquePointer?>?
) -> luna_status {
  answer {
    guard let update else { throw Failure.invalid("the callback is NULL") }
    let handler = Handler(call: update)
    var settings = LunaSettings()
    settings.radio = try SourceName.provider(try text(source, "source"))
    if state != nil { settings.state = StateDirectory(path: try text(state, "state")) }
    let (luna, logger) = (Luna(settings), settings.logger)
    let caller = Caller(end: end, context: context)
    try Listening.start(following) {
      let local = luna.local()
      let scan = try await local.scan(luna.owner().allDevices())
      let problems = local.errors
      try await scan.start()
      return Listening(caller, halt: { await local.stop() }) {
        let minder = Task {
          for await late in scan.timeouts { await deliver([late], to: handler, caller) }
        }
        let teller = Task {
          for await problem in problems { tell(problem, to: logger) }
        }
        do {
          while let batch = try await scan.nextBatch() {
            await deliver(scan.follow(batch), to: handler, caller)
          }
        } catch {
          await local.stop()
          await minder.value
          await teller.value
          throw error
        }
        await local.stop()
        await minder.value
        await teller.value
      }
    }
  }
}

/// `luna_following_stop` of luna.h.
@_cdecl("luna_following_stop")
public func stopFollowing(_ following: OpaquePointer?) -> luna_status { Listening.stop(following) }

/// The program's function, which any thread may call.
private struct Handler: @unchecked Sendable {
  let call: luna_following_callback
}

/// Says the one thing that luna.h promises to say.
private func tell(_ problem: any Error, to logger: any Logger) {
  guard case .store(let error)? = problem as? LocalProblem else { return }
  logger.log(.ERROR, "what was learned is not kept: \(error)")
}

private func deliver(
  _ updates: [LocalUpdate], to handler: Handler, _ caller: Caller
) async {
  let own = updates.filter { $0.state.uuid != nil }
  guard !own.isEmpty else { return }
  await caller.call { context in
    let output = OutputBuffer()
    for what in own {
      var time = TimeText()
      LocalDocument.append(what, &time, to: output)
      String(decoding: output.line(), as: UTF8.self).withCString { handler.call($0, context) }
    }
  }
}
