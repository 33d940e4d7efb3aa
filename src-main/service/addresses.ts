/** Known only once the server listens, hence functions. */
export type Addresses = {
  /** `http://localhost:7420/fido`, with `/w/<id>` for other workspaces; no slash at the end. */
  baseUrl(workspace: string): string
  appUrl(workspace: string): string
  /** Whether a Host header names this service: guards the app interface against foreign pages. */
  isOurHost(host: string): boolean
  /** Whether a page of this origin is one of our own. */
  isOurOrigin(origin: string): boolean
}
