import LunaCrypto
import LunaJSON
import LunaTesting
import LunaVectors
import Testing

/// Runs every function on inputs that are nearly right: whatever comes, it answers or refuses.
struct MutatedVectorTests {
  @Test(arguments: VectorTests.groups)
  func noInputStopsAFunction(group: VectorTests.GroupCase) throws {
    var random = Seeded(UInt64(group.group.cases.count))
    var machine = try VectorMachine()
    var answered = 0
    for _ in 0..<max(20, 400 / group.group.cases.count) {
      for item in group.group.cases {
        var input = item.input
        for _ in 0...Int.random(in: 0..<3, using: &random) { mutate(&input, &random) }
        do throws(VectorError) {
          _ = try machine.answer(group: group.group.name, input: input)
          answered += 1
        } catch {
          switch error {
          case .member: break
          case .crypto(let error): #expect(error.kind == .length || error.kind == .invalidKey)
          default: Issue.record("\(item.id): \(error)")
          }
        }
      }
    }
    #expect(answered > 20, "most mutations leave the types alone")
  }

  private func mutate(_ object: inout JSONObject, _ random: inout Seeded) {
    guard let index = object.members.indices.randomElement(using: &random) else { return }
    object.members[index].value = mutated(object.members[index].value, &random)
  }

  private func mutated(_ value: JSONValue, _ random: inout Seeded) -> JSONValue {
    switch value {
    case .integer(let number):
      let extremes: [Int64] = [
        0, 1, -1, 255, 256, 65535, 65536, 4_294_967_295, 4_294_967_296, 9_007_199_254_740_991,
        .max, .min, number &+ 1, number &- 1,
        number ^ 1 << Int64.random(in: 0..<63, using: &random),
      ]
      return .integer(extremes.randomElement(using: &random) ?? 0)
    case .real(let number):
      return .real(
        [0, -0.0, 1e300, -1e300, .leastNonzeroMagnitude, -number].randomElement(using: &random) ?? 0
      )
    case .string(let text): return .string(mutated(text, &random))
    case .bool(let flag): return .bool(!flag)
    case .null: return .null
    case .array(var elements):
      guard let index = elements.indices.randomElement(using: &random) else { return value }
      elements[index] = mutated(elements[index], &random)
      return .array(elements)
    case .object(var object):
      mutate(&object, &random)
      return .object(object)
    }
  }

  /// Hexadecimal digits stay such, mostly, so that it is the bytes that are wrong.
  private func mutated(_ text: String, _ random: inout Seeded) -> String {
    var characters = Array(text)
    let digits = Array("0123456789abcdef")
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return ""
    case 1: return String(characters.dropLast(2))
    case 2: return text + "00"
    case 3: return String(characters.prefix(characters.count / 4 * 2))
    case 4: return ["NaN", "é", "LUNA1:", "=", "\u{0}"].randomElement(using: &random) ?? ""
    default:
      guard let index = characters.indices.randomElement(using: &random),
        let digit = digits.randomElement(using: &random)
      else { return text }
      characters[index] = digit
      return String(characters)
    }
  }
}
