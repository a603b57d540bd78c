import BlueZ
import Bluetooth
import Diagnosis
import Luna
import LunaClient
import LunaCore
import LunaHome
import LunaLocation
import LunaStore

/// What a home's file says of radio, place and backend, as settings of Luna.
struct HomeParts {
  let setup: HomeSetup
  let diagnostics: Diagnostics
  private let endpoint: HomeSetup.Endpoint?

  /// - Parameter setup: what the file says; of several backends the first one that can be reached is taken,
  ///   and where none can be, the first one.
  init(setup: HomeSetup, diagnostics: Diagnostics) async {
    self.setup = setup
    self.diagnostics = diagnostics
    var endpoint = setup.endpoints.first
    if setup.endpoints.count > 1 {
      for other in setup.endpoints
      where await HomeParts.reaches(other, within: setup.networkTimeout) {
        endpoint = other
        break
      }
      if let endpoint { diagnostics.note("luna: the backend is \(EscapedPath.text(endpoint.url))") }
    }
    self.endpoint = endpoint
  }

  private static func reaches(_ endpoint: HomeSetup.Endpoint, within timeout: Int64) async -> Bool {
    var configuration = ClientConfiguration(url: endpoint.url)
    configuration.certificateAuthorities = endpoint.authorities
    configuration.connectTimeout = .milliseconds(timeout)
    configuration.totalTimeout = .milliseconds(timeout)
    guard let client = try? BackendClient(configuration, token: .none) else { return false }
    return await client.isReachable()
  }

  func settings(state: String, store: any DeviceStore) throws -> LunaSettings {
    var settings = LunaSettings()
    settings.state = StateDirectory(path: state)
    settings.store = store
    settings.logger = SilentLogger()
    settings.radio = try radio(state)
    if let text = setup.location {
      do throws(LocationChoiceError) {
        settings.location = try LocationChoice(text)
      } catch {
        throw CommandFailure(.usage, "the location of the box \(error.reason)")
      }
    }
    if let endpoint {
      settings.backend = endpoint.url
      settings.client.certificateAuthorities = endpoint.authorities
      settings.client.connectTimeout = .milliseconds(setup.networkTimeout)
    }
    return settings
  }

  private func radio(_ state: String) throws -> any RadioProvider {
    var options = ListenOptions()
    options.adapters = try setup.adapters.map { name in
      guard let adapter = AdapterSelector(name) else {
        throw CommandFailure(.usage, "\(EscapedPath.text(name)) is no adapter")
      }
      return adapter
    }
    if let name = setup.radio { options.radio = try RadioName(name) }
    return try options.makeProvider(state: state, diagnostics)
  }
}
