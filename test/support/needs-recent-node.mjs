// What `npm run` starts first: npm puts the pinned Node on the path, so an older one means that it was not installed.
import { isRecentNode, TOO_OLD } from '../../src-main/cli/launch/recent-node.mjs'

if (!isRecentNode) {
  console.error(TOO_OLD)
  process.exit(1)
}
