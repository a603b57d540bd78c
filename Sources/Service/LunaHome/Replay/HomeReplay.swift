/// Judges again what has happened: what would have run, what would have been held back, and why.
/// Nothing is done; `set` changes what the replay itself knows.
public struct HomeReplay: Sendable {
  /// What a rule would have done.
  public enum Outcome: Sendable {
    /// It would have run.
    case firing(HomeFiring)
    /// It would not have run.
    case held(HomeHeld)
  }

  /// The most outcomes; a file may have anything in it.
  private static let limit = 1_000_000

  private var engine: HomeEngine
  private var boot: Int64 = 0
  private var outcomes: [Outcome] = []
  private let rule: String?

  /// All outcomes of a file, in their order.
  ///
  /// - Parameters:
  ///   - rule: only those of this rule.
  ///   - from: inputs before prepare the state, without an outcome, µs since 1970.
  ///   - to: where it ends.
  public static func outcomes(
    of file: ReplayFile, with configuration: HomeConfiguration, rule: String? = nil,
    from: Int64 = .min, to: Int64 = .max
  ) -> [Outcome] {
    var replay = HomeReplay(engine: HomeEngine(configuration), rule: rule)
    var wall: Int64?
    for entry in file.entries where entry.wall < to {
      replay.go(from: wall ?? entry.wall, to: entry.wall)
      replay.take(entry.input, entry.wall)
      wall = entry.wall
      if replay.outcomes.count >= limit { break }
    }
    // What the last inputs began, such as leaving a place, may end within an hour.
    if let wall { replay.go(from: wall, to: min(wall + 3_600_000_000, to)) }
    return replay.outcomes.filter { $0.wall >= from }
  }

  private init(engine: HomeEngine, rule: String?) {
    self.engine = engine
    self.rule = rule
  }

  private var wakeAt: Int64?

  /// Lets time go by, with a step whenever the engine asks for one.
  private mutating func go(from start: Int64, to end: Int64) {
    var wall = start
    while let wake = wakeAt, wake - boot <= end - wall, outcomes.count < HomeReplay.limit {
      let step = max(0, wake - boot)
      boot += step
      wall += step
      take(.clock, wall)
      // Nothing that is due may be asked for twice.
      if let next = wakeAt, next <= boot { wakeAt = boot + 1000 }
    }
    boot += max(0, end - wall)
  }

  private mutating func take(_ input: HomeInput, _ wall: Int64) {
    let (effects, wake) = engine.step(input, at: Moment(wall: wall, boot: boot))
    wakeAt = wake
    for effect in effects {
      switch effect {
      case .firing(let firing) where rule == nil || rule == firing.rule:
        outcomes.append(.firing(firing))
      case .held(let held) where rule == nil || rule == held.rule: outcomes.append(.held(held))
      default: break
      }
    }
  }
}

extension HomeReplay.Outcome {
  /// When, µs since 1970.
  public var wall: Int64 {
    switch self {
    case .firing(let firing): firing.wall
    case .held(let held): held.wall
    }
  }
}
