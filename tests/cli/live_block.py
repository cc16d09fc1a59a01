"""What a user sees of a campaign on a terminal: python3 live_block.py SHAKEDOWN FOLDER."""
import os, re, signal, subprocess, sys, time

from terminal import Terminal

shakedown, folder = sys.argv[1:3]
failures = 0


def check(name, condition, terminal=None):
    global failures
    print('ok   ' if condition else 'FAIL ', name)
    if condition:
        return
    failures += 1
    if terminal:
        print('\n'.join('      | ' + line for line in terminal.screen()))


def sees(name, condition, terminal, seconds=30):
    """What comes in its own time: a draw may be read in pieces."""
    check(name, terminal.until(condition, seconds), terminal)


def plan(name, cases):
    path = f'{folder}/{name}.json'
    text = ','.join('{"id":"%s","argv":["/bin/sh","-c","%s"]%s}' % case for case in cases)
    with open(path, 'w') as file:
        file.write('{"schema":"shakedown.plan/1","system":"test","cases":[%s]}' % text)
    return path


def run(name, cases, command='run --here', rows=24, columns=80, environment=None, wrap='exec {}', more=''):
    plan_file = plan(name, cases)
    line = f"'{shakedown}' {command} --plan {plan_file} -w {folder}/{name} {more}"
    return Terminal(['sh', '-c', wrap.format(line)], rows, columns,
                    {'TERM': 'xterm', 'LC_ALL': 'C.UTF-8', **(environment or {})})


def predicted(seconds):
    return ',"predicted":{"wall_time_s":{"value":%g,"low":%g,"high":%g}}' % (seconds, seconds, seconds)


three = [('first', 'sleep 2', predicted(100)), ('second', 'sleep 4', predicted(0.1)), ('third', 'true', '')]

# Drawn, redrawn in place, and wiped.
t = run('drawn', three, columns=160)
sees('the block is drawn', lambda t: '[ RUN ] 1/3 first' in t.text(), t)
sees('with its sums', lambda t: any(line.startswith('0 of 3 cases done, 1 running, 2 waiting') for line in t.screen()), t)
sees('a bar of the predicted time', lambda t: any('of about 1:40' in line and '─' in line for line in t.screen()), t)
sees('and why the others wait',
     lambda t: any(line == '[ WAIT] 2 cases: this machine runs one case at a time' for line in t.screen()), t)
sees('a case past its prediction says so',
     lambda t: any(re.search('past its prediction of 0:00 by 0:0[1-4]', line) for line in t.screen()), t)
sees('what ended stands above the block',
     lambda t: [line[:7] for line in t.screen() if line.startswith('[')][:2] == ['[ END ]', '[ RUN ]'], t)
check('it ends undecided', t.ended() == 3, t)
text = t.text()
check('and the block is gone', 'cases done' not in text and '[ RUN ]' not in text and '[ WAIT]' not in text, t)
check('what ended stays, once', all(text.count(f'/3 {name}') == 1 for name in ('first', 'second', 'third')), t)
check('the verdict follows', 'verdict' in text, t)

# Never wider or higher than the window, whatever becomes of it.
many = [(f'a-case-with-a-rather-long-name-{i}', f'sleep {seconds}', '') for i, seconds in enumerate((8, 1, 1))]
t = run('resized', many, columns=120)
t.until(lambda t: '[ RUN ]' in t.text())
t.resize(10, 40)
sees('a narrower window gets shorter lines and one block',
     lambda t: all(len(line) < 40 for line in t.screen() if '/3' in line)
     and t.text().count('[ WAIT]') == 1 and t.text().count('[ RUN ]') == 1, t, 5)
t.resize(3, 100)
sees('a low one has a low block',
     lambda t: sum(line.startswith(('[ RUN ]', '[ WAIT]')) for line in t.screen()) == 1, t, 5)
t.resize(24, 100)
t.ended()
check('which is wiped too', '[ WAIT]' not in t.text()[-400:] and '[ RUN ]' not in t.text()[-400:], t)

# Ctrl-C: said in the block, then a clean screen and the way on.
t = run('interrupted', [('stubborn', "trap 'sleep 5; exit 1' TERM; while :; do sleep 0.2; done", ''), three[2]], columns=120)
t.until(lambda t: '[ RUN ]' in t.text())
t.read(0.5)
t.key('\x03')
check('Ctrl-C is said', t.until(lambda t: any('Ctrl-C again kills it at once' in line for line in t.screen())), t)
check('exit code 130', t.ended() == 130, t)
check('the block is wiped', 'stopping; Ctrl-C again' not in t.text() and '[STOP ]' not in t.text(), t)
check('and the way on is told', 'shakedown resume' in t.text(), t)

# Ctrl-Z: a clean screen for the shell; fg draws it anew below.
t = run('stopped', [('long', 'sleep 12', ''), three[2]], columns=120,
        wrap="set -m; {}; echo; echo the-shell-again; read -r go; fg >/dev/null; echo ended-$?")
t.until(lambda t: '[ RUN ]' in t.text())
t.read(0.5)
t.key('\x1a')
check('Ctrl-Z gives the shell back', t.until(lambda t: 'the-shell-again' in t.text(), 10), t)
t.read(0.3)
check('with a clean screen', '[ RUN ]' not in t.text() and 'cases done' not in t.text(), t)
t.key('\n')
sees('fg draws the block', lambda t: any('[ RUN ]' in line for line in t.screen()), t)
screen = '\n'.join(t.screen())
check('below what the shell wrote', 0 <= screen.find('the-shell-again') < screen.find('[ RUN ]'), t)
check('and it goes on to its end', t.until(lambda t: 'ended-3' in t.text(), 30), t)
check('cleanly', 'the-shell-again' in t.text() and '[ RUN ]' not in t.text(), t)
t.ended()

# kill -9 leaves a usable terminal; resume adopts what runs.
t = run('killed', [('long', 'sleep 10', ''), three[2]], columns=120, wrap="{} & pid=$!; echo pid=$pid; wait")
sees('the process tells its number', lambda t: re.search(r'pid=\d+\n', t.text()), t)  # all of it: it is killed
pid = int(re.search(r'pid=(\d+)\n', t.text()).group(1))
t.until(lambda t: os.path.exists(f'{folder}/killed') and subprocess.run(
    ['sh', '-c', f'ls {folder}/killed/campaigns/*/long/attempt-1/started.json'], capture_output=True).returncode == 0)
os.kill(pid, signal.SIGKILL)
t.ended()
t = Terminal(['sh', '-c', f"exec '{shakedown}' resume --here -w {folder}/killed"], 24, 120,
             {'TERM': 'xterm', 'LC_ALL': 'C.UTF-8'})
check('resume says what it adopted', t.until(lambda t: '[ADOPT] 1 case that still runs' in t.text()), t)
check('and draws it', t.until(lambda t: '[ RUN ] 1/2 long' in t.text()), t)
check('to the end', t.ended() == 3 and '[ END ] 1/2 long' in t.text(), t)

# Colours are a matter of taste, and a dumb terminal gets lines.
t = run('coloured', three[2:])
t.ended()
check('colours on a terminal', '\x1b[34m' in t.written, t)
t = run('colourless', three[2:], environment={'NO_COLOR': '1'})
t.ended()
check('none with NO_COLOR', not re.search(r'\x1b\[[0-9;]*m', t.written), t)
t = run('dumb', three[2:], environment={'TERM': 'dumb'})
t.ended()
check('a dumb terminal gets lines', '\x1b' not in t.written and '[ RUN ] 1/1 third' in t.text(), t)

print(f'{failures} checks failed' if failures else 'all as expected')
sys.exit(1 if failures else 0)
