import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { keepRecentFolders } from '../../src-main/shell/shell-state.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let home = ''
beforeEach(() => {
  home = temporaryFolder()
})

describe('the data directories used before', () => {
  it('are the last five, the newest first, each once', () => {
    const recent = keepRecentFolders(join(home, 'desktop', 'recent.json'))
    for (const folder of ['/a', '/b', '/c', '/a', '/d', '/e', '/f']) recent.use(folder)
    expect(recent.list()).toEqual(['/f', '/e', '/d', '/a', '/c'])
    recent.forget('/d')
    expect(recent.list()).toEqual(['/f', '/e', '/a', '/c'])
  })

  it('are shared by programs that run at the same time', () => {
    const file = join(home, 'recent.json')
    const [one, other] = [keepRecentFolders(file), keepRecentFolders(file)]
    one.use('/one')
    other.use('/other')
    expect(one.list()).toEqual(['/other', '/one'])
  })

  it.each(['', '[]', '{"v":2,"folders":["/a"]}', '{"v":1,"folders":"/a"}', '{"v":1,"folders":[7,"relative",null]}'])(
    'are none when the file reads %s',
    (text) => {
      const file = join(home, 'recent.json')
      writeFileSync(file, text)
      expect(keepRecentFolders(file).list()).toEqual([])
    },
  )

  it('are forgotten where nothing can be written', () => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    const recent = keepRecentFolders(join(file, 'recent.json'))
    recent.use('/a')
    expect(recent.list()).toEqual([])
  })
})
