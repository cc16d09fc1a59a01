"""A terminal for tests: a program on a pty, and the screen that its output makes.

It knows the few sequences that shakedown may write; any other one is an error, among them hiding the cursor.
"""
import fcntl, os, pty, re, select, signal, struct, termios, time, unicodedata

SEQUENCE = re.compile(r'\x1b\[(\??)([0-9;]*)([A-Za-z])')


class Terminal:
    def __init__(self, argv, rows=24, columns=80, environment=None):
        self.rows, self.columns = rows, columns
        self.lines, self.row, self.column = [''], 0, 0   # all lines, the scrolled ones too; the cursor
        self.pending, self.written = b'', ''
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(environment or {})
            os.execvp(argv[0], argv)
        self.resize(rows, columns)

    def resize(self, rows, columns):
        """As terminals do that break lines anew (tmux, VTE, kitty): only what is longer than the window."""
        if columns < self.columns:
            cursor = None
            broken = []
            for i, line in enumerate(self.lines):
                if i == self.row:
                    cursor = len(broken)
                broken += [line[k:k + columns] for k in range(0, max(1, len(line)), columns)]
            self.lines, self.row = broken, cursor
        self.rows, self.columns = rows, columns
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def key(self, text):
        os.write(self.fd, text.encode())

    def top(self):
        return max(0, len(self.lines) - self.rows)

    def screen(self):
        return [line.rstrip() for line in self.lines[self.top():]]

    def text(self):
        return '\n'.join(line.rstrip() for line in self.lines)

    def read(self, seconds):
        """Takes in what comes within `seconds`. False: the program is gone."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], left)[0]:
                return True
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.take(data)
        return True

    def until(self, condition, seconds=30):
        """Reads until `condition(self)` holds."""
        end = time.monotonic() + seconds
        while not condition(self):
            if time.monotonic() > end:
                return False
            if not self.read(0.05):
                return condition(self)
        return True

    def ended(self):
        """Reads to the end; the exit code."""
        while self.read(0.2):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def take(self, data):
        self.pending += data
        try:
            text, self.pending = self.pending.decode(), b''
        except UnicodeDecodeError as error:
            text, self.pending = self.pending[:error.start].decode(), self.pending[error.start:]
        self.written += text
        at = 0
        while at < len(text):
            if text[at] == '\x1b':
                found = SEQUENCE.match(text, at)
                if not found and not re.fullmatch(r'\x1b(\[\??[0-9;]*)?', text[at:]):
                    raise AssertionError(f'unknown sequence {text[at:at + 10]!r}')
                if not found:  # cut: the rest follows
                    self.pending = text[at:].encode() + self.pending
                    self.written = self.written[:len(self.written) - (len(text) - at)]
                    return
                self.obey(*found.groups())
                at = found.end()
                continue
            self.put(text[at])
            at += 1

    def obey(self, private, number, letter):
        if letter == 'm':
            return
        if private:
            raise AssertionError(f'sets the terminal: ESC[?{number}{letter}')
        if letter == 'A':
            self.row = max(self.top(), self.row - int(number or 1))
        elif letter == 'J' and not number:
            del self.lines[self.row + 1:]
            self.lines[self.row] = self.lines[self.row][:self.column]
        elif letter == 'K' and not number:
            self.lines[self.row] = self.lines[self.row][:self.column]
        else:
            raise AssertionError(f'unknown sequence ESC[{number}{letter}')

    def put(self, sign):
        if sign == '\r':
            self.column = 0
        elif sign == '\n':
            self.row += 1
            if self.row == len(self.lines):
                self.lines.append('')
        elif sign >= ' ':
            if self.column >= self.columns:
                self.column = 0
                self.put('\n')
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + sign + line[self.column + 1:]
            self.column += 2 if unicodedata.east_asian_width(sign) in 'WF' else 1
