type Published = { readonly name: string; readonly version: string }

/**
 * What the MCP registry reads of the npm package: `server.json`, and in package.json the name that proves that both belong
 * together. The registry gives names below `io.github.OWNER` to the workflows of that owner; elsewhere there is none.
 */
export const mcpServerOf = (
  { name, version }: Published,
  { GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv,
): { readonly mcpName: string; readonly document: object } | undefined => {
  if (GITHUB_SERVER_URL !== 'https://github.com' || GITHUB_REPOSITORY === undefined) return undefined
  const mcpName = `io.github.${GITHUB_REPOSITORY.split('/')[0]}/${name}`
  const document = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Handset',
    description: 'Phones that scan, approve and fail, for testing a site that signs in by QR code, push or passkey.',
    repository: { url: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`, source: 'github' },
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  }
  return { mcpName, document }
}
