<?php
// SPDX-License-Identifier: Apache-2.0
// A bank with PHP's own SOAP client: from the bus's WSDL, in SOAP 1.1 and 1.2 and with gzip, and without a WSDL, which
// means rpc/encoded: arrays with keys become maps, lists become SOAP's arrays, and parameters have no names.
//
//     bank_with_php.php WSDL

const NAMESPACE_OF_BUS = 'http://inbound.sbi.pigeon.idamobile.com/';
const TEXT = 'Остаток: 5 < 7 & «ещё» № 1';

function expect(string $what, mixed $wanted, mixed $found): void
{
    if ($wanted !== $found) {
        fwrite(STDERR, "$what: " . var_export($found, true) . ' in place of ' . var_export($wanted, true) . "\n");
        exit(1);
    }
}

function notification(string $id, int $badge = 3): array
{
    return [
        'id' => $id,
        'recipients' => ['anna', 'nobody'],
        'timeout' => 600,
        'pushContent' => ['badge' => $badge, 'text' => TEXT, 'type' => 'UNIVERSAL'],
    ];
}

/** `$entries` is what PHP makes of `entry` elements: with one of them, no list. */
function statuses(mixed $entries): array
{
    $found = [];
    foreach (is_array($entries) ? $entries : [$entries] as $entry) {
        $found[$entry->key] = $entry->value;
    }
    ksort($found);
    return $found;
}

function calls(string $name, SoapClient $client): void
{
    $sent = $client->sendNotification(['notification' => notification($name)])->return;
    expect("$name status", 'OK', $sent->status);
    expect("$name statuses", ['anna' => 'QUEUED', 'nobody' => 'INVALID_SUBSCRIPTION'], statuses($sent->deliveryStatus->entry));
    $again = $client->sendNotification(['notification' => notification($name)])->return;
    expect("$name again", 'DUPLICATED_ENTITY', $again->status);
    expect("$name delivery", 2, count($client->getDeliveryStatus(['id' => $name])->return->deliveryStatus->entry));
    expect("$name no such", 'ENTITY_NOT_FOUND', $client->getDeliveryStatus(['id' => 'none'])->return->status);
    $details = $client->getNotificationDetails(['id' => $name])->return;
    expect("$name text", TEXT, $details->notification->pushContent->text);
    expect("$name anna", true, $client->checkSubscriptionExists(['user' => 'anna'])->return->exists);
    expect("$name nobody", false, $client->checkSubscriptionExists(['user' => ['anna', 'nobody']])->return->exists);
    expect("$name delete", 'ENTITY_NOT_FOUND', $client->deleteSubscription(['user' => 'nobody'])->return->status);
    try {
        $client->sendNotification(['notification' => notification("$name-bad", -1)]);
        expect("$name fault", 'a fault', 'none');
    } catch (SoapFault $fault) {
        expect("$name fault", true, str_contains($fault->getMessage(), 'notification.pushContent.badge'));
    }
    echo "PHP, $name: all five operations\n";
}

function callsWithoutWSDL(string $name, SoapClient $client): void
{
    $sent = $client->sendNotification(notification($name));
    expect("$name status", 'OK', $sent->status);
    expect("$name statuses", ['anna' => 'QUEUED', 'nobody' => 'INVALID_SUBSCRIPTION'], statuses($sent->deliveryStatus->entry));
    $named = $client->sendNotification(new SoapParam((object) notification("$name-named"), 'notification'));
    expect("$name named", 'OK', $named->status);
    expect("$name delivery", 2, count($client->getDeliveryStatus($name)->deliveryStatus->entry));
    expect("$name text", TEXT, $client->getNotificationDetails(new SoapParam($name, 'id'))->notification->pushContent->text);
    expect("$name anna", 'true', $client->checkSubscriptionExists('anna')->exists);
    expect("$name list", 'false', $client->checkSubscriptionExists(['anna', 'nobody'])->exists);
    expect("$name delete", 'ENTITY_NOT_FOUND', $client->deleteSubscription('nobody')->status);
    try {
        $client->sendNotification(notification("$name-bad", -1));
        expect("$name fault", 'a fault', 'none');
    } catch (SoapFault $fault) {
        expect("$name fault", true, str_contains($fault->getMessage(), 'notification.pushContent.badge'));
    }
    echo "PHP, $name: all five operations\n";
}

$wsdl = $argv[1];
$address = strtok($wsdl, '?');
$gzip = SOAP_COMPRESSION_ACCEPT | SOAP_COMPRESSION_GZIP | 5;
$fresh = ['cache_wsdl' => WSDL_CACHE_NONE];
calls('php-11', new SoapClient($wsdl, $fresh));
calls('php-12', new SoapClient($wsdl, $fresh + ['soap_version' => SOAP_1_2]));
calls('php-gzip', new SoapClient($wsdl, $fresh + ['compression' => $gzip]));
callsWithoutWSDL('php-encoded', new SoapClient(null, ['location' => $address, 'uri' => NAMESPACE_OF_BUS]));
$latest = ['location' => $address, 'uri' => NAMESPACE_OF_BUS, 'soap_version' => SOAP_1_2];
callsWithoutWSDL('php-encoded-12', new SoapClient(null, $latest));
