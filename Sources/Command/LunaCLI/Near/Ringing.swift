import Bluetooth
import Diagnosis
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
    let label = session.target.label
    switch news {
    case .sounding(let kind, let isConfirmed):
      let doubt = isConfirmed ? "" : "; it does not say so, and stops by itself"
      session.printer.line(
        "buzz", "buzzing", session.target, "\(label) sounds (\(kind.title))\(doubt)"
      ) { writer, _ in
        writer.string("protocol", kind.rawValue)
        writer.boolean("confirmed", isConfirmed)
        ControlDocument.writeElapsed(elapsed, to: &writer)
      }
      session.diagnostics.detail(
        "luna: \(DecimalText.text(Int64(elapsed / .milliseconds(1)), digits: 3)) s from start to sound"
      )
    case .ended(let isConfirmed):
      session.printer.line(
        "buzz", "completed", session.target,
        isConfirmed
          ? "\(label) is silent" : "\(label) was told to be silent, but did not confirm it"
      ) { writer, _ in
        writer.boolean("confirmed", isConfirmed)
      }
    case .lost(let reason):
      session.printer.line(
        "buzz", "lost", session.target,
        "the connection to \(label) is gone (\(reason)); the sound ends by itself within 30 s"
      ) { writer, _ in
        writer.string("reason", reason)
      }
    }
  }
}
