import Bluetooth
import Luna
import LunaBuzzer
import LunaDocuments

/// `luna buzz --any`: trackers of somebody else.
struct Ringing {
  let session: NearSession

  init(_ session: NearSession) { self.session = session }

  /// What asks the tracker.
  static func ringer(_ session: NearSession, _ type: StaticString) -> NonOwnerRinger {
    let (printer, target, ear) = (session.printer, session.target, session.ear)
    return session.luna.ringer(
      limits: session.limits, hearing: { await ear.next(within: $0) },
      progress: { printer.progress(type, target, $0) })
  }

  func run(_ options: BuzzCommand) async throws -> NearSession.Result {
    let ringer = Ringing.ringer(session, "buzz")
    let session = session
    do throws(BuzzerError) {
      if options.stops {
        try await ringer.silence { Ringing.tell($0, session) }
      } else {
        try await ringer.ring(for: .seconds(options.seconds ?? 12)) { Ringing.tell($0, session) }
      }
    } catch {
      throw error.considering(session.ear.lastReport)
    }
    return NearSession.Result()
  }

  private static func tell(_ news: RingNews, _ session: NearSession) {
    let elapsed = session.began.duration(to: .now)
    let text = ControlText.text(news, of: session.target.label)
    session.printer.line("buzz", ControlDocument.event(news), session.target, text) { writer, _ in
      ControlDocument.write(news, to: &writer)
      if case .sounding = news { ControlDocument.writeElapsed(elapsed, to: &writer) }
    }
    if case .sounding = news { session.printer.sounds(after: elapsed) }
  }
}
