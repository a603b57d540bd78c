public import LunaCrypto
public import LunaJSON
import LunaProtocol

/// Runs the functions that vectors are for. Keeps their contexts, and may be used for any number of
/// files.
public struct VectorMachine: ~Copyable {
  typealias Function = @Sendable (inout VectorMachine, VectorInput) throws(VectorError) -> JSONValue

  var schedule: KeySchedule
  var reports: ReportKeyDeriver
  var sealer: ReportSealer
  var control: ControlAuthenticator
  var eddystone: EddystoneEIDDeriver

  /// A function that another room adds: its answer, or the member of the input that is wrong.
  public typealias AddedFunction = @Sendable (JSONObject) throws(FormatError) -> JSONValue

  private let added: [String: AddedFunction]

  /// The functions by the names of their groups.
  private static let functions: [String: Function] = [
    keyFunctions, trackerFunctions, frameFunctions, statusFunctions, reportFunctions,
    controlFunctions, onboardingFunctions, followingFunctions, standardFunctions,
  ].reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }

  /// The names of all groups that this build has, sorted.
  public static var groups: [String] { functions.keys.sorted() }

  /// A machine.
  ///
  /// - Parameter added: functions of groups that rooms above this one know.
  /// - Throws: ``CryptoError`` when libcrypto does not offer an algorithm.
  public init(adding added: [String: AddedFunction] = [:]) throws(CryptoError) {
    let schedule = try KeySchedule()
    let reports = try ReportKeyDeriver()
    let sealer = try ReportSealer()
    let control = try ControlAuthenticator()
    let eddystone = try EddystoneEIDDeriver()
    self.schedule = schedule
    self.reports = reports
    self.sealer = sealer
    self.control = control
    self.eddystone = eddystone
    self.added = added
  }

  /// The output for an input.
  ///
  /// - Throws: `unknownGroup`, or what is wrong with the input.
  public mutating func answer(
    group: String, input: JSONObject
  ) throws(VectorError) -> JSONValue {
    if let function = added[group] {
      do throws(FormatError) { return try function(input) } catch { throw .member(error.member) }
    }
    guard let function = VectorMachine.functions[group] else { throw .unknownGroup(group) }
    return try function(&self, VectorInput(input))
  }

  /// The outputs for all cases of a file, by their ids. A case that cannot be run has
  /// `{"error":"..."}`, which no function gives.
  public mutating func answers(to file: VectorFile) -> JSONObject {
    var answers = JSONObject()
    for group in file.groups {
      for item in group.cases {
        do throws(VectorError) {
          answers.append(item.id, try answer(group: group.name, input: item.input))
        } catch {
          answers.append(item.id, ["error": .string("\(error)")])
        }
      }
    }
    return answers
  }

  /// Compares the outputs of all cases of a file with those that it expects.
  public mutating func check(_ file: VectorFile) -> [VectorGroupResult] {
    var results: [VectorGroupResult] = []
    for group in file.groups {
      var result = VectorGroupResult(name: group.name)
      for item in group.cases { result.take(check(item, of: group.name)) }
      results.append(result)
    }
    return results
  }

  /// Compares one case; nil when it passes.
  public mutating func check(_ item: VectorFile.Case, of group: String) -> VectorFailure? {
    guard let expected = item.output else {
      return VectorFailure(id: item.id, problem: "the file expects nothing")
    }
    do throws(VectorError) {
      let found = try answer(group: group, input: item.input)
      return found == expected
        ? nil : VectorFailure(id: item.id, problem: "expected \(expected), found \(found)")
    } catch {
      return VectorFailure(id: item.id, problem: "\(error)")
    }
  }
}
