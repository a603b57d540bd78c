import Diagnosis
import LunaHome
import LunaJSON
import WebAccess

/// Finds and changes what people make, beside what the file has.
struct HomeObjectKeeper: Sendable {
  let api: HomeAPI
  let kind: HomeObject.Kind

  init(_ kind: HomeObject.Kind, _ api: HomeAPI) {
    self.kind = kind
    self.api = api
  }

  /// All of them: those of the file first.
  func list() async throws -> [ListedObject] {
    let file = await api.home.file
    let rules = kind == .rules ? await api.home.rules() : []
    let status = Dictionary(rules.map { ($0.summary.id, $0.json) }) { first, _ in first }
    var found: [ListedObject] = []
    for name in HomeObjects.lists(of: kind) {
      for object in file?.objects(name) ?? [] {
        guard let id = HomeObjects.id(of: object.value, kind) else { continue }
        found.append(
          ListedObject(id: id, value: object.value, line: object.line, status: status[id]))
      }
    }
    let taken = Set(found.map(\.id))
    for object in try await api.objects.all(kind) {
      let id = taken.contains(object.id) ? HomeObjects.otherID(object.id) : object.id
      let value = HomeObjects.free(object, taken, kind)
      found.append(ListedObject(id: id, value: value, line: nil, status: status[id]))
    }
    return found
  }

  func find(_ id: String) async throws -> ListedObject {
    guard let found = try await list().first(where: { $0.id == id }) else {
      throw ProblemDocument.notFound("nothing has this id")
    }
    return found
  }

  /// Lets nobody else change anything meanwhile, of whatever kind: what was looked at still is so when the change is
  /// made. Within it nothing enters again.
  func alone<Answer: Sendable>(_ work: () async throws -> Answer) async throws -> Answer {
    try await api.changes.enter(work)
  }

  /// Makes a new one; this and what follows is done alone.
  func add(_ value: JSONValue, _ id: String) async throws -> ListedObject {
    guard try await list().allSatisfy({ $0.id != id }) else {
      throw ProblemDocument(409, "idTaken", "This id is taken.")
    }
    return try await keep(value, id)
  }

  /// Keeps one, in the place of one with its id.
  func keep(_ value: JSONValue, _ id: String) async throws -> ListedObject {
    let (kept, taken) = try await kept(id)
    let change = try HomeObjectKeeper.checked(value, kept, kind)
    try await tryOut(change)
    let object = HomeObject(id: kept, value: change.value ?? .null)
    try await api.objects.put(object, kind)
    try await api.reload()
    return ListedObject(id: id, value: HomeObjects.free(object, taken, kind), line: nil)
  }

  /// What something of the list is kept as, and the ids of the file: what has one of those is called otherwise in the
  /// list, and by its own name again when the file has it no more.
  private func kept(_ id: String) async throws -> (id: String, taken: Set<String>) {
    let taken = await api.home.file.map { HomeObjects.taken(kind, in: $0) } ?? []
    let own = try await api.objects.all(kind).map(\.id)
    let other = own.first { taken.contains($0) && HomeObjects.otherID($0) == id }
    return (own.contains(id) ? id : other ?? id, taken)
  }

  /// Removes one that nothing else needs.
  func remove(_ id: String) async throws {
    let id = try await kept(id).id
    do {
      try await tryOut(HomeObjectChange(kind: kind, id: id, value: nil))
    } catch let problem as ProblemDocument where problem.status == 422 {
      throw ProblemDocument(
        409, "inUse", "Something else needs this.", detail: "the problems name it",
        members: problem.members)
    }
    try await api.objects.remove(id, kind)
    try await api.reload()
  }

  /// Refuses a change with which all of it could not be used.
  private func tryOut(_ change: HomeObjectChange) async throws {
    guard let file = await api.home.file else { return }
    try await HomeObjectKeeper.tryOut(change, beside: file, api)
  }

  /// The same, of nothing where there is no change.
  static func tryOut(
    _ change: HomeObjectChange?, beside file: HomeFile, _ api: HomeAPI
  ) async throws {
    guard let change else { return }
    let before = try await api.objects.merged(with: file, in: api.surroundings)
    try refuse(
      try await api.objects.merged(with: file, in: api.surroundings, with: change), than: before)
  }

  /// What the web app may not do: start programs, and reach new addresses.
  private static let forbidden: Set = ["exec", "webhook"]

  static func checked(
    _ value: JSONValue, _ id: String, _ kind: HomeObject.Kind
  ) throws -> HomeObjectChange {
    guard case .object(let given) = value else { throw FormatError("the body", "is no object") }
    var object: JSONObject = ["id": .string(id)]
    object.members += given.members.filter { !["id", "managedBy", "status"].contains($0.name) }
    if case .array(let actions)? = object["then"] {
      for case .object(let action) in actions
      where action.members.contains(where: { forbidden.contains($0.name) }) {
        throw ProblemDocument(
          422, "fileOnly", "Only the file can say that.",
          detail: "the web app starts no program and reaches no new address")
      }
    }
    // Else it would be known only when something is to be mailed.
    if kind == .contacts, let email = object["email"]?.text, MailAddress(email) == nil {
      throw MailEndpoints.noAddress
    }
    return HomeObjectChange(kind: kind, id: id, value: .object(object))
  }

  /// Refuses what makes a file unusable. What is wrong anyway keeps nobody from mending it, or from anything else.
  static func refuse(_ file: HomeFile, than before: HomeFile) throws(ProblemDocument) {
    var known = before.problems.filter { $0.level == .error }.map(\.reason)
    var problems: [Problem] = []
    for problem in file.problems where problem.level == .error {
      if let index = known.firstIndex(of: problem.reason) {
        known.remove(at: index)
      } else {
        problems.append(problem)
      }
    }
    guard !problems.isEmpty else { return }
    throw ProblemDocument(
      422, "unusable", "This cannot be used.", detail: problems.first.map { $0.reason },
      members: ["problems": .array(problems.map(OperationEndpoints.json))])
  }
}
