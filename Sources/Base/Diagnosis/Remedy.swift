import SafeText

/// What to do about an error, in one clause: a text, and in it the steps that a front end may name in
/// terms of its own.
///
///     "give this user access to it, or use \(.otherDirectory)"
public struct Remedy: Hashable, Sendable {
  fileprivate enum Part: Hashable, Sendable {
    case text(String)
    case step(Step)
  }

  private let parts: [Part]

  /// What can be done, in the order of the text; empty where only the text says it.
  public var steps: [Step] {
    parts.compactMap { if case .step(let step) = $0 { step } else { nil } }
  }

  /// One after the other.
  public static func + (first: Remedy, second: Remedy) -> Remedy {
    Remedy(parts: first.parts + second.parts)
  }

  /// Texts that follow each other become one, so that it does not matter how a clause was made.
  private init(parts: [Part]) {
    self.parts = parts.reduce(into: []) { whole, part in
      if case .text(let more) = part, case .text(let text)? = whole.last {
        whole[whole.count - 1] = .text(text + more)
      } else {
        whole.append(part)
      }
    }
  }
}

extension Remedy: CustomStringConvertible {
  /// The clause, on one line.
  public var description: String {
    parts.map {
      switch $0 {
      case .text(let text): text
      case .step(let step): step.description
      }
    }.joined()
  }
}

extension Remedy: ExpressibleByStringInterpolation {
  /// Collects texts and steps.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Nothing yet.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// A text of the program.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.text(literal)) }
    }

    /// Something that can be done.
    public mutating func appendInterpolation(_ step: Step) { parts.append(.step(step)) }

    /// Another remedy.
    public mutating func appendInterpolation(_ remedy: Remedy) { parts += remedy.parts }

    /// A text, on one line.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      parts.append(.text(EscapedText.line(value.description)))
    }
  }

  /// A text without a step.
  public init(stringLiteral value: String) {
    self.init(parts: [.text(EscapedText.line(value))])
  }

  /// A text with steps.
  public init(stringInterpolation: StringInterpolation) {
    self.init(parts: stringInterpolation.parts)
  }

  /// A text that was made elsewhere.
  public init(_ text: String) { self.init(stringLiteral: text) }
}
