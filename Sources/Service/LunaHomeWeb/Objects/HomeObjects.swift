package import LunaCore
package import LunaHome
import LunaJSON
package import LunaStore
import SQLite

/// What people have made, in `home.sqlite`.
package struct HomeObjects: Sendable {
  let store: HomeStore

  /// Objects in a database.
  package init(_ store: HomeStore) { self.store = store }

  /// All of a kind, by their ids.
  package func all(_ kind: HomeObject.Kind) async throws(DeviceStoreError) -> [HomeObject] {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows(
        "SELECT id, value FROM objects WHERE kind = ?1 ORDER BY id", [.text(kind.rawValue)]
      ) { row in
        let bytes = Array(row.text(1).utf8)
        return (try? JSONReader.read(bytes)).map { HomeObject(id: row.text(0), value: $0) }
      }
    }
  }

  /// Keeps one, in the place of one with its id.
  func put(_ object: HomeObject, _ kind: HomeObject.Kind) async throws(DeviceStoreError) {
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "REPLACE INTO objects(kind, id, value) VALUES(?1, ?2, ?3)",
        [.text(kind.rawValue), .text(object.id), .text(object.value.description)])
    }
  }

  /// Removes one.
  func remove(_ id: String, _ kind: HomeObject.Kind) async throws(DeviceStoreError) {
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "DELETE FROM objects WHERE kind = ?1 AND id = ?2", [.text(kind.rawValue), .text(id)])
    }
  }

  /// Notes where the app is found, for who makes links beside the home that runs.
  package func note(address: String) async throws(DeviceStoreError) {
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "REPLACE INTO objects(kind, id, value) VALUES('server', 'address', ?1)", [.text(address)])
    }
  }

  /// Where the app was found last; nil where there was none.
  package func address() async throws(DeviceStoreError) -> String? {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows("SELECT value FROM objects WHERE kind = 'server' AND id = 'address'") {
        $0.text(0)
      }.first
    }
  }

  /// Notes what people call the home.
  func note(name: String) async throws(DeviceStoreError) {
    _ = try await store.transaction { database throws(DeviceStoreError) in
      try database.change(
        "REPLACE INTO objects(kind, id, value) VALUES('server', 'name', ?1)", [.text(name)])
    }
  }

  /// What people call the home; nil where they have not said it.
  func name() async throws(DeviceStoreError) -> String? {
    try await store.read { database throws(DeviceStoreError) in
      try database.rows("SELECT value FROM objects WHERE kind = 'server' AND id = 'name'") {
        $0.text(0)
      }.first
    }
  }

  /// A file with all of them. What the file has, is the file's: another one of its id becomes `ID-web`, and
  /// a rule that is one is off.
  package func merged(
    with file: HomeFile, in surroundings: HomeSurroundings,
    with change: HomeObjectChange? = nil
  ) async throws(DeviceStoreError) -> HomeFile {
    file.adding(try await made(beside: file, with: change).lists, in: surroundings)
  }

  /// A file with those of them that go together with it: not with a rule, say, whose place has gone from the file.
  ///
  /// - Returns: what is left out or called otherwise, for a person; nil for nothing.
  package func fitting(
    _ file: HomeFile, in surroundings: HomeSurroundings, with change: HomeObjectChange? = nil
  ) async throws(DeviceStoreError) -> (file: HomeFile, leftOut: String?) {
    let made = try await made(beside: file, with: change)
    var lists = made.lists
    var leftOut: [String] = []
    while true {
      let merged = file.adding(lists, in: surroundings)
      guard !merged.isUsable else { return (merged, HomeObjects.text(leftOut, made.renamed)) }
      let errors = merged.problems.filter { $0.level == .error }
      let count = leftOut.count
      for index in lists.indices {
        let (name, values) = lists[index]
        let first = file.objects(name).count
        lists[index].values = []
        for (number, value) in values.enumerated() {
          if let error = errors.first(where: {
            HomeObjects.place(of: $0, in: name) == first + number
          }) {
            leftOut.append("\(value["id"]?.text ?? name): \(error.reason)")
          } else {
            lists[index].values.append(value)
          }
        }
      }
      // What cannot be told apart is left out as a whole.
      guard leftOut.count > count else {
        return (file, HomeObjects.text(errors.prefix(1).map(\.reason), []))
      }
    }
  }

  private static func text(_ leftOut: [String], _ renamed: [String]) -> String? {
    var said: [String] = []
    if !renamed.isEmpty {
      said.append(
        "the file wins over what people have made in the app with an id of the file: "
          + renamed.joined(separator: ", "))
    }
    if !leftOut.isEmpty {
      said.append(
        "what people have made in the app does not go together with the file, and is left out: "
          + leftOut.joined(separator: "; "))
    }
    return said.isEmpty ? nil : said.joined(separator: "; ")
  }

  /// The number in a list of the file of what has a problem; nil where that is elsewhere.
  private static func place(of problem: Problem, in list: String) -> Int? {
    let parts = problem.path.split(separator: "/")
    return parts.count > 1 && parts[0] == list ? Int(parts[1]) : nil
  }

  /// All of them, as they stand beside a file.
  ///
  /// - Returns: those that are called otherwise there, too, for a person.
  private func made(
    beside file: HomeFile, with change: HomeObjectChange?
  ) async throws(DeviceStoreError) -> (
    lists: [(name: String, values: [JSONValue])], renamed: [String]
  ) {
    var lists: [(name: String, values: [JSONValue])] = []
    var renamed: [String] = []
    for kind in HomeObject.Kind.allCases {
      var own = try await all(kind)
      if let change, change.kind == kind {
        own.removeAll { $0.id == change.id }
        if let value = change.value { own.append(HomeObject(id: change.id, value: value)) }
      }
      let taken = HomeObjects.taken(kind, in: file)
      lists.append((kind.rawValue, own.map { HomeObjects.free($0, taken, kind) }))
      for object in own where taken.contains(object.id) {
        let isOff = kind == .rules ? ", and is off" : ""
        renamed.append(
          "\(object.id) in \(kind.rawValue) is \(HomeObjects.otherID(object.id))\(isOff)")
      }
    }
    return (lists, renamed)
  }

  /// The ids that the file has.
  static func taken(_ kind: HomeObject.Kind, in file: HomeFile) -> Set<String> {
    Set(lists(of: kind).flatMap { file.objects($0) }.compactMap { id(of: $0.value, kind) })
  }

  /// The lists of the file that a kind is in.
  static func lists(of kind: HomeObject.Kind) -> [String] {
    kind == .rules ? ["rules", "schedules"] : [kind.rawValue]
  }

  /// How something of the file is called.
  static func id(of value: JSONValue, _ kind: HomeObject.Kind) -> String? {
    guard kind == .trackers else { return value["id"]?.text }
    return (value["id"] ?? value["name"] ?? value["device"])?.text
  }

  /// What is called so beside a file that has its id.
  static func otherID(_ id: String) -> String { id + "-web" }

  /// Something as it stands beside a file that has these ids.
  static func free(
    _ object: HomeObject, _ taken: Set<String>, _ kind: HomeObject.Kind
  ) -> JSONValue {
    guard taken.contains(object.id), case .object(var members) = object.value else {
      return object.value
    }
    members.members.removeAll { ["id", "enabled"].contains($0.name) }
    members.append("id", .string(otherID(object.id)))
    if kind == .rules { members.append("enabled", false) }
    return .object(members)
  }
}
