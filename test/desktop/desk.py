"""A desktop's services under D-Bus, each a line of JSON: what is shown goes out on stdout, what the person does comes in on stdin."""
import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
NOTES = 'org.freedesktop.Notifications'
WATCHER = 'org.kde.StatusNotifierWatcher'
ITEM = 'org.kde.StatusNotifierItem'
MENU = 'com.canonical.dbusmenu'
PROPERTIES = 'org.freedesktop.DBus.Properties'


def tell(**what):
    print(json.dumps(what), flush=True)


class Notifications(dbus.service.Object):
    last = 0

    @dbus.service.method(NOTES, out_signature='ssss')
    def GetServerInformation(self):
        return ('Handset test', 'Handset', '1', '1.2')

    @dbus.service.method(NOTES, out_signature='as')
    def GetCapabilities(self):
        return ['actions', 'body']

    @dbus.service.method(NOTES, in_signature='susssasa{sv}i', out_signature='u')
    def Notify(self, app, replaces, icon, summary, body, actions, hints, expires):
        Notifications.last = replaces or Notifications.last + 1
        tell(kind='notification', id=int(self.last), app=app, title=summary, body=body)
        return dbus.UInt32(self.last)

    @dbus.service.method(NOTES, in_signature='u')
    def CloseNotification(self, number):
        self.NotificationClosed(number, 3)

    @dbus.service.signal(NOTES, signature='us')
    def ActionInvoked(self, number, action):
        pass

    @dbus.service.signal(NOTES, signature='uu')
    def NotificationClosed(self, number, reason):
        pass


class Watcher(dbus.service.Object):
    item = None

    @dbus.service.method(WATCHER, in_signature='s', sender_keyword='sender')
    def RegisterStatusNotifierItem(self, service, sender):
        path = service if service.startswith('/') else '/StatusNotifierItem'
        Watcher.item = bus.get_object(sender, path)
        tell(kind='tray', service=service)

    @dbus.service.method(PROPERTIES, in_signature='ss', out_signature='v')
    def Get(self, interface, name):
        return True if name == 'IsStatusNotifierHostRegistered' else 0

    @dbus.service.method(PROPERTIES, in_signature='s', out_signature='a{sv}')
    def GetAll(self, interface):
        return {'IsStatusNotifierHostRegistered': True, 'ProtocolVersion': 0}


def tray_menu():
    properties = dbus.Interface(Watcher.item, PROPERTIES)
    menu = bus.get_object(Watcher.item.bus_name, str(properties.Get(ITEM, 'Menu')))
    _, (_, _, children) = dbus.Interface(menu, MENU).GetLayout(0, -1, dbus.Array([], signature='s'))
    return menu, [(int(each[0]), str(each[1].get('label', ''))) for each in children]


def do(what, value):
    if what == 'click':
        notifications.ActionInvoked(dbus.UInt32(value), 'default')
    elif what == 'tray':
        properties = dbus.Interface(Watcher.item, PROPERTIES)
        _, _, _, _, tip = (None, None, None, None, properties.Get(ITEM, 'ToolTip'))
        tell(kind='tray-is', tip=str(tip[2]), labels=[label for _, label in tray_menu()[1] if label])
    elif what == 'tray-click':
        dbus.Interface(Watcher.item, ITEM).Activate(0, 0)
    elif what == 'tray-item':
        menu, items = tray_menu()
        number = next(number for number, label in items if label.replace('_', '') == value)
        dbus.Interface(menu, MENU).Event(number, 'clicked', dbus.String('', variant_level=1), dbus.UInt32(0))


def heard(channel, _):
    line = channel.readline()
    if line == '':
        loop.quit()
        return False
    try:
        do(**json.loads(line))
    except Exception as reason:
        tell(kind='problem', says=repr(reason))
    return True


notifications = Notifications(dbus.service.BusName(NOTES, bus), '/org/freedesktop/Notifications')
watcher = Watcher(dbus.service.BusName(WATCHER, bus), '/StatusNotifierWatcher')
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, heard)
tell(kind='ready')
loop.run()
